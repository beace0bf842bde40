"""Checks request bodies, query arguments and headers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from flask import Request
from pydantic import BaseModel, ConfigDict, ValidationError
from werkzeug.exceptions import BadRequest

from shared.errors import InvalidRequestError
from shared.models import ConversationId, Mode
from shared.policy.text import is_storable

MAX_NUMBER = 2**31 - 1  # Postgres's integer
MAX_ID = 2**63 - 1  # Postgres's bigint
OLDEST_YEAR = 1900  # Python and Postgres agree on dates long before and after it
MAX_KEY_CHARS = 255

Form = TypeVar("Form", bound=BaseModel)


class StrictForm(BaseModel):
    """Unknown fields are refused: a misspelt one must not pass unnoticed."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ChatForm(StrictForm):
    """`POST /chat`."""

    message: str
    agent: str | None = None
    stream: bool = False
    conversation_id: str | None = None
    mode: Mode | None = None
    time_zone: str | None = None


class RetryForm(StrictForm):
    """`POST /chat/{conversation_id}/{sequence}/retry`, and `…/continue`."""

    stream: bool = False


class EditForm(RetryForm):
    """`POST /chat/{conversation_id}/{sequence}/edit`."""

    message: str
    time_zone: str | None = None


def read_form(request: Request, form: type[Form]) -> Form:
    """Raises `InvalidRequestError` naming the field."""
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
        raise InvalidRequestError(_explain(exc)) from exc


def check_text(text: str, limit: int) -> str:
    """Returns `text`. Raises `InvalidRequestError` unless it can be stored as a message."""
    if not text.strip():
        raise InvalidRequestError("The message is empty.")
    if len(text) > limit:
        raise InvalidRequestError(
            f"The message is too long: {len(text):,} characters, and the limit is {limit:,}."
        )
    if not is_storable(text):
        raise InvalidRequestError("The message holds characters that cannot be stored.")
    return text


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
    if not (0 < len(key) <= MAX_KEY_CHARS and key.isascii() and key.isprintable()):
        raise InvalidRequestError(f"Idempotency-Key: 1 to {MAX_KEY_CHARS} visible characters.")
    return key


def read_limit(request: Request, default: int, most: int) -> int:
    return max(1, min(read_number(request, "limit") or default, most))


def read_number(request: Request, name: str, most: int = MAX_NUMBER) -> int | None:
    text = request.args.get(name)
    if text is None:
        return None
    try:
        number = int(text)
    except ValueError as exc:
        raise InvalidRequestError(f"{name}: not a whole number.") from exc
    if not 0 <= number <= most:
        raise InvalidRequestError(f"{name}: out of range.")
    return number


def read_flag(request: Request, name: str, *, default: bool = False) -> bool:
    """`true` or `false`; missing means `default`."""
    text = request.args.get(name, "true" if default else "false")
    if text not in {"true", "false"}:
        raise InvalidRequestError(f"{name}: neither true nor false.")
    return text == "true"


def read_instant(request: Request, name: str) -> datetime | None:
    """ISO 8601; without a time zone it is UTC."""
    text = request.args.get(name)
    if text is None:
        return None
    try:
        instant = _in_utc(datetime.fromisoformat(text))
    except ValueError as exc:
        raise InvalidRequestError(f"{name}: not a date or time in ISO 8601.") from exc
    except OverflowError as exc:
        raise InvalidRequestError(f"{name}: out of range.") from exc
    if instant.year < OLDEST_YEAR:
        raise InvalidRequestError(f"{name}: out of range.")
    return instant


def read_cursor(request: Request) -> tuple[datetime, str] | None:
    """The argument `before`, as `write_cursor` made it."""
    text = request.args.get("before")
    if text is None:
        return None
    try:
        instant, conversation_id = text.split("_")
        return _in_utc(datetime.fromisoformat(instant)), str(UUID(conversation_id))
    except (ValueError, OverflowError) as exc:
        raise InvalidRequestError("before: not a place in this list.") from exc


def _in_utc(instant: datetime) -> datetime:
    """UTC for Postgres, which takes fewer offsets than Python. Without an offset it is UTC."""
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)


def write_cursor(instant: datetime, conversation_id: str) -> str:
    return f"{instant.isoformat()}_{conversation_id}"


def _explain(exc: ValidationError) -> str:
    first: Any = exc.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}"
