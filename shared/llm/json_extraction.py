"""Find JSON objects in a model's answer: bare, in a code fence, amid prose, or truncated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DECODER = json.JSONDecoder(strict=False)  # models put bare line breaks into strings
SPACE = re.compile(r"[ \t\r\n]*")
MAX_TRUNCATED = 50  # opening braces that are tried for a truncated object
MAX_FAILED = 500  # and for a complete one: each failure takes time proportional to the text


@dataclass(frozen=True)
class _Value:
    """A complete JSON value, the character after it ("" at the end), and where the rest begins."""

    value: Any
    delimiter: str
    end: int


def find_objects(text: str) -> Iterator[dict[str, object]]:
    """The outermost JSON objects in `text`, in order. A model that thinks aloud writes several."""
    position, failed = text.find("{"), 0
    while position >= 0 and failed < MAX_FAILED:
        json_object, end = _decode_at(text, position)
        if json_object is None:
            failed += 1
        else:
            yield json_object
        position = text.find("{", end)


def find_truncated_objects(text: str) -> Iterator[dict[str, object]]:
    """The complete parts of each invalid or truncated object in `text`.

    They are its complete fields, and the complete items of a truncated list. A list without
    complete items is left out.
    """
    position = text.find("{")
    for _ in range(MAX_TRUNCATED):
        if position < 0:
            return
        json_object, end = _decode_at(text, position)
        if json_object is None and (fields := _read_fields(text, position + 1)):
            yield fields
        position = text.find("{", end)


def _decode_at(text: str, position: int) -> tuple[dict[str, object] | None, int]:
    try:
        json_object, end = DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, position + 1
    return json_object, end


def _read_fields(text: str, position: int) -> dict[str, object]:
    """The complete fields of an object, whose first field begins at `position`."""
    fields: dict[str, object] = {}
    while name := _read_value(text, position, ":"):
        value = _read_value(text, name.end, ",}")
        if value is None:
            items = _read_items(text, _skip_space(text, name.end))
            return fields | ({str(name.value): items} if items else {})
        fields[str(name.value)] = value.value
        if value.delimiter != ",":
            break
        position = value.end
    return fields


def _read_items(text: str, position: int) -> list[object]:
    """The complete items of the list at `position`; none when no list begins there."""
    items: list[object] = []
    if text[position : position + 1] != "[":
        return items
    while item := _read_value(text, position + 1, ",]"):
        items.append(item.value)
        position = item.end - 1
        if item.delimiter != ",":
            break
    return items


def _read_value(text: str, position: int, delimiters: str) -> _Value | None:
    """The value at `position` if it is complete: a delimiter follows it, or the text ends.

    A number at the end of the text is not complete: more digits may have been cut off.
    """
    try:
        value, end = DECODER.raw_decode(text, _skip_space(text, position))
    except (ValueError, RecursionError):
        return None
    end = _skip_space(text, end)
    if end == len(text):
        return None if isinstance(value, (int, float)) else _Value(value, "", end)
    return _Value(value, text[end], end + 1) if text[end] in delimiters else None


def _skip_space(text: str, position: int) -> int:
    match = SPACE.match(text, position)
    return match.end() if match else position
