"""Cursors: signed places in a list. A place is the sort key of the last entry that was given.

So pages stay right while entries come and go: none is given twice, none is left out. A cursor is
good for one user, one list and its filters; anything else is refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from flask import g, request

from shared.errors import FieldError, InvalidRequestError
from web.process.context import web_context
from web.requests.queries import Listing

Entry = TypeVar("Entry")
#: What JSON keeps: strings and numbers.
Place = Sequence[Any]
MAC_CHARS = 32


def read_cursor(query: Listing) -> Place | None:
    """The place that a list goes on from. None: its beginning. Raises `InvalidRequestError`."""
    if query.cursor is None:
        return None
    text, _, mac = query.cursor.rpartition(".")
    if not hmac.compare_digest(mac.encode("utf-8", "replace"), _sign(text).encode()):
        error = FieldError(parameter="cursor", detail="not a place in this list.")
        raise InvalidRequestError("cursor: not a place in this list.", errors=[error])
    place: list[Any] = json.loads(base64.urlsafe_b64decode(text))
    return place


def write_cursor(place: Place) -> str:
    text = base64.urlsafe_b64encode(json.dumps(place).encode()).decode()
    return f"{text}.{_sign(text)}"


def next_cursor(
    entries: Sequence[Entry], query: Listing, place_of: Callable[[Entry], Place]
) -> str | None:
    """The cursor of the next page. None: this page is the last one.

    `entries` was read with one entry more than the page has.
    """
    return write_cursor(place_of(entries[query.size - 1])) if len(entries) > query.size else None


def cut_page(
    entries: Sequence[Entry], query: Listing, place_of: Callable[[Entry], Place]
) -> tuple[Sequence[Entry], str | None]:
    """A page of a short list that was read whole, in the order of `place_of`, and its cursor."""
    begin = read_cursor(query)
    ordered = sorted(entries, key=lambda entry: list(place_of(entry)))
    rest = [entry for entry in ordered if begin is None or list(place_of(entry)) > list(begin)]
    return rest[: query.size], next_cursor(rest, query, place_of)


def _sign(text: str) -> str:
    """By a key of the site's own: who can derive it can read the database anyway."""
    secret = web_context().services.settings.database_url
    filters = sorted((name, value) for name, value in request.args.items() if name not in PLACES)
    claim = json.dumps([request.path, g.user_id, filters, text])
    key = hashlib.sha256(f"cursor:{secret}".encode()).digest()
    return hmac.new(key, claim.encode(), hashlib.sha256).hexdigest()[:MAC_CHARS]


PLACES = frozenset({"cursor", "limit"})
