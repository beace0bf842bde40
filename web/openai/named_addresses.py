"""Addresses in the parts of messages, such as of images, which the model's server may fetch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from shared.models.clients import ClientMessage
from shared.outbound.name_lookup import RefusedAddressError, UnknownNameError, look_up
from shared.policy.addresses import is_public, read_address
from web.openai.errors import BadParameterError

# Fields that hold words, however they begin.
WORDS = frozenset({"text", "refusal", "filename", "type"})
FETCHED = frozenset({"http", "https"})
# What follows is the file itself, or the provider's own store.
HARMLESS = frozenset({"data", "gs"})
MAX_HOSTS = 20  # of one request: each is looked up
MAX_SCHEME_CHARS = 40
# Whoever reads an address leaves these signs out.
_IGNORED = str.maketrans("", "", "\t\r\n")
_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):(?=[/\\])", re.IGNORECASE)


def check_addresses(messages: Iterable[ClientMessage], name: str = "messages") -> None:
    """Raises `BadParameterError` for an address that is not public, before anything is sent.

    A name that is unknown here may be known to the model's server.
    """
    known: set[str] = set()
    for at, message in enumerate(messages):
        for param, text in _list_texts(message.get("content"), f"{name}.{at}.content"):
            host = _read_host(text, param)
            if host is None or host in known:
                continue
            known.add(host)
            if len(known) > MAX_HOSTS:
                raise BadParameterError(param, f"{param}: more than {MAX_HOSTS} hosts are named.")
            _check_host(host, param)


def _list_texts(value: Any, param: str) -> Iterator[tuple[str, str]]:
    """All texts of parts but their words, each with its place. A text alone is words."""
    if isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _list_inner(inner, f"{param}.{at}")


def _list_inner(value: Any, param: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield param, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in WORDS:
                yield from _list_inner(inner, f"{param}.{name}")
    else:
        yield from _list_texts(value, param)


def _read_host(text: str, param: str) -> str | None:
    """None: nothing is fetched from there."""
    match = _SCHEME.match(text[:MAX_SCHEME_CHARS].translate(_IGNORED))
    scheme = match[1].lower() if match else None
    if scheme is None or scheme in HARMLESS:
        return None
    if scheme not in FETCHED:
        raise BadParameterError(param, f"{param}: use https:// or data:.")
    try:
        host = urlsplit(text.lstrip()).hostname
    except ValueError:
        host = None
    if host is None or "\\" in text:
        raise BadParameterError(param, f"{param}: is not an address.")
    return host


def _check_host(host: str, param: str) -> None:
    try:
        look_up(host, None, _is_public)
    except UnknownNameError:
        return
    except RefusedAddressError as exc:
        raise BadParameterError(param, f"{param}: names an address that is not public.") from exc


def _is_public(address: str) -> bool:
    parsed = read_address(address)
    return parsed is not None and is_public(parsed)
