"""Reads single fields of a conversation in JSON: times, texts, labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from shared.errors import UnreadableConversationError
from shared.policy.attachments.sniffing import clean_name
from shared.policy.text import storable

MAX_LABEL_CHARS = 200
MAX_NAMED_FILES = 50  # of one message
MAX_INTEGER = 2**31 - 1
MAX_ID = 2**63 - 1
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
CLOCK_TOLERANCE = timedelta(days=1)  # the clock of the site that wrote the file
MILLISECONDS_FROM = 10**11  # larger numbers are milliseconds: as seconds this is the year 5138


def read_instant(value: object) -> datetime | None:
    """Read seconds or milliseconds since 1970, or ISO 8601 (in UTC if it has no offset).

    Raises `UnreadableConversationError` for what is no time, and for one before 1970 or to come.
    """
    if value is None:
        return None
    instant = _parse_instant(value)
    if not EARLIEST <= instant <= datetime.now(UTC) + CLOCK_TOLERANCE:
        raise UnreadableConversationError("A time lies before 1970 or in the future.")
    return instant


def find_instant(value: object, left_out: Counter[str]) -> datetime | None:
    """Read it as `read_instant` does. A time that cannot be right is counted, and None.

    A clock that was never set says 1970.
    """
    instant = None
    with suppress(UnreadableConversationError):
        instant = read_instant(value)
    if instant and instant.year > EARLIEST.year:
        return instant
    if value is not None:
        left_out["time"] += 1
    return None


def _parse_instant(value: object) -> datetime:
    try:
        if isinstance(value, str):
            instant = datetime.fromisoformat(value)
            aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
            return aware.astimezone(UTC)
        if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
            seconds = float(value)
            seconds = seconds / 1000 if abs(seconds) >= MILLISECONDS_FROM else seconds
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as exc:
        raise UnreadableConversationError("A time cannot be read.") from exc
    raise UnreadableConversationError("A time cannot be read.")


def read_text(content: object, left_out: Counter[str]) -> str:
    """Read a string or a list of parts. Texts are joined; other parts (images) are counted."""
    if content is None:
        return ""
    parts = content if isinstance(content, list) else [content]
    texts = [_part_text(part, left_out) for part in parts]
    return storable("\n".join(text for text in texts if text))


def read_label(value: object) -> str | None:
    """A short text such as a title, a name or an id, cut to `MAX_LABEL_CHARS`."""
    if not isinstance(value, str):
        return None
    return storable(value).strip()[:MAX_LABEL_CHARS] or None


def read_stripped(value: object) -> str:
    """A text without the blanks around it. "" for anything else."""
    return storable(value).strip() if isinstance(value, str) else ""


def read_integer(value: object, at_most: int = MAX_INTEGER) -> int | None:
    """Read a number that a database could hold, up to `MAX_ID`. A bool is not a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= at_most else None


def read_id(value: object) -> str:
    """Read an id, or another short word. Empty for anything else, however deep it is nested."""
    return value if isinstance(value, str) else ""


def file_name(value: object) -> str | None:
    """Read the name of a file. None: it has no name."""
    return clean_name(storable(value)) if isinstance(value, str) and value.strip() else None


def name_files(content: str, names: Sequence[str]) -> str:
    """Add the names of files that cannot be imported to the text."""
    labels = [f"[File: {name}]" for name in names[:MAX_NAMED_FILES]]
    return "\n\n".join(part for part in (content, "\n".join(labels)) if part)


def expect_object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnreadableConversationError(f"{what} is not an object.")
    return value


def expect_list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnreadableConversationError(f"{what} is not a list.")
    return value


def _part_text(part: object, left_out: Counter[str]) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if isinstance(text, str):
        return text
    left_out["attachment"] += 1
    return ""
