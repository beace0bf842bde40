"""JSON in a model's answer: bare, in a code fence, or with prose around it."""

from __future__ import annotations

import json
from collections.abc import Iterator

DECODER = json.JSONDecoder(strict=False)  # models put bare line breaks into strings


def find_objects(text: str) -> Iterator[dict[str, object]]:
    """Every JSON object in `text` that stands in no other, in order.

    A model that thinks aloud writes several; which one is meant is the caller's to say.
    """
    position = text.find("{")
    while position >= 0:
        found, end = _decode_at(text, position)
        if found is not None:
            yield found
        position = text.find("{", end)


def _decode_at(text: str, position: int) -> tuple[dict[str, object] | None, int]:
    try:
        found, end = DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, position + 1
    return found, end
