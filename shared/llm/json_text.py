"""JSON in a model's answer: bare, in a code fence, with prose around it, or broken off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DECODER = json.JSONDecoder(strict=False)  # models put bare line breaks into strings
SPACE = re.compile(r"[ \t\r\n]*")
MAX_CUT = 50  # opening braces that are looked at for an object that broke off
MAX_OPEN = 500  # and for a whole one: what fails costs as much as the text is long


@dataclass(frozen=True)
class _Value:
    """A finished value, the sign after it ("" at the end of the text), and where to read on."""

    value: Any
    sign: str
    end: int


def find_objects(text: str) -> Iterator[dict[str, object]]:
    """Every JSON object in `text` that stands in no other, in order.

    A model that thinks aloud writes several; which one is meant is the caller's to say.
    """
    position, failed = text.find("{"), 0
    while position >= 0 and failed < MAX_OPEN:
        found, end = _decode_at(text, position)
        if found is not None:
            yield found
        failed += found is None
        position = text.find("{", end)


def find_cut_objects(text: str) -> Iterator[dict[str, object]]:
    """What is finished of each object in `text` that is broken or was broken off.

    That is: its finished fields, and the finished items of the list that breaks off. A list with
    none is left out.
    """
    position = text.find("{")
    for _ in range(MAX_CUT):
        if position < 0:
            return
        found, end = _decode_at(text, position)
        if found is None and (cut := _read_fields(text, position + 1)):
            yield cut
        position = text.find("{", end)


def _decode_at(text: str, position: int) -> tuple[dict[str, object] | None, int]:
    try:
        found, end = DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, position + 1
    return found, end


def _read_fields(text: str, position: int) -> dict[str, object]:
    """The object whose inside begins at `position`, up to where it breaks off."""
    fields: dict[str, object] = {}
    while name := _read_value(text, position, ":"):
        value = _read_value(text, name.end, ",}")
        if value is None:
            items = _read_items(text, _skip(text, name.end))
            return fields | ({str(name.value): items} if items else {})
        fields[str(name.value)] = value.value
        if value.sign != ",":
            break
        position = value.end
    return fields


def _read_items(text: str, position: int) -> list[object]:
    """The finished items of the list at `position`; none where no list begins."""
    items: list[object] = []
    if text[position : position + 1] != "[":
        return items
    while item := _read_value(text, position + 1, ",]"):
        items.append(item.value)
        position = item.end - 1
        if item.sign != ",":
            break
    return items


def _read_value(text: str, position: int, signs: str) -> _Value | None:
    """The value at `position`, if it is finished: one of `signs` follows, or the text ends.

    A number at the end of the text may have more digits: it is not finished.
    """
    try:
        value, end = DECODER.raw_decode(text, _skip(text, position))
    except (ValueError, RecursionError):
        return None
    end = _skip(text, end)
    if end == len(text):
        return None if isinstance(value, (int, float)) else _Value(value, "", end)
    return _Value(value, text[end], end + 1) if text[end] in signs else None


def _skip(text: str, position: int) -> int:
    found = SPACE.match(text, position)
    return found.end() if found else position
