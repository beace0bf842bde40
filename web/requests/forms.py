"""Checks request bodies and headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import quote
from uuid import UUID

from flask import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from werkzeug.exceptions import BadRequest

from shared.errors import FieldError, InvalidRequestError
from shared.models import ConversationId
from shared.policy.text import is_storable
from web.requests.queries import detail_of

MAX_KEY_CHARS = 255
MAX_MESSAGE_CHARS = 100_000
ATTACHMENTS_PER_MESSAGE = 10
KEY = re.compile("[!-~]+")

Form = TypeVar("Form", bound=BaseModel)


def _read_whole(number: object) -> object:
    """JSON has one kind of number: 1.0 is 1."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


#: Stands after a field's bounds.
WHOLE = BeforeValidator(_read_whole)


class StrictForm(BaseModel):
    """Unknown fields are refused: a misspelt one must not pass unnoticed."""

    model_config = ConfigDict(strict=True, extra="forbid")


def read_form(request: Request, form: type[Form]) -> Form:
    """Read the body into a form. Raises `InvalidRequestError` naming the field."""
    try:
        body = request.get_json()
    except BadRequest as exc:
        raise InvalidRequestError("The body is not valid JSON.") from exc
    except RecursionError as exc:
        raise InvalidRequestError("The body is nested too deeply.") from exc
    if not isinstance(body, dict):
        raise InvalidRequestError("The body must be a JSON object.")
    try:
        return form.model_validate(body)
    except ValidationError as exc:
        raise _explain(exc) from exc


def check_text(text: str) -> str:
    """Returns `text`. Raises `InvalidRequestError` unless it can be stored as a message."""
    if not text.strip():
        raise InvalidRequestError("The message is empty.")
    if len(text) > MAX_MESSAGE_CHARS:
        raise InvalidRequestError(
            f"The message is too long: {len(text):,} characters, "
            f"and the limit is {MAX_MESSAGE_CHARS:,}."
        )
    if not is_storable(text):
        raise InvalidRequestError("The message holds characters that cannot be stored.")
    return text


def check_written(field: str, text: str) -> str:
    """The text without blanks around it. Raises `InvalidRequestError` if it cannot be stored."""
    if not text.strip() or not is_storable(text):
        raise InvalidRequestError(f"{field}: is empty, or holds characters that cannot be stored.")
    return text.strip()


def read_changes(form: StrictForm) -> dict[str, str]:
    """The texts that a form of changes has, without the blanks around them. Null: no change."""
    fields = form.model_dump(exclude_unset=True)
    return {name: check_written(name, text) for name, text in fields.items() if text is not None}


def check_attachments(ids: Sequence[str]) -> tuple[str, ...]:
    """Returns the ids. Raises `InvalidRequestError` if there are too many, or one comes twice."""
    if len(ids) > ATTACHMENTS_PER_MESSAGE:
        raise InvalidRequestError(
            f"attachments: a message takes {ATTACHMENTS_PER_MESSAGE} files at most."
        )
    if len(set(ids)) < len(ids):
        raise InvalidRequestError("attachments: a file is named twice.")
    return tuple(ids)


def check_id(text: str) -> ConversationId:
    """A conversation's id in canonical form: lower case, with hyphens."""
    try:
        return ConversationId(str(UUID(text)))
    except ValueError as exc:
        raise InvalidRequestError("conversation_id: not an id of ours.") from exc


def read_key(request: Request) -> str | None:
    """The header `Idempotency-Key`: visible ASCII characters."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if len(key) > MAX_KEY_CHARS or not KEY.fullmatch(key):
        raise InvalidRequestError(f"Idempotency-Key: 1 to {MAX_KEY_CHARS} visible characters.")
    return key


def _explain(exc: ValidationError) -> InvalidRequestError:
    problems = exc.errors(include_url=False, include_input=False)
    errors = [
        FieldError(pointer=_pointer(problem["loc"]), detail=detail_of(problem))
        for problem in problems
    ]
    field = ".".join(str(part) for part in problems[0]["loc"])
    return InvalidRequestError(f"{field}: {errors[0].detail}", errors=errors)


def _pointer(place: Sequence[object]) -> str:
    """A JSON pointer as the fragment of an address."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in place)
    return "#" + "".join(f"/{quote(step)}" for step in steps)
