"""Messages without any fact, which no model needs to read."""

from __future__ import annotations

import re

from shared.languages import LANGUAGES

MAX_WORDS = 6

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FILLERS = frozenset(word for each in LANGUAGES for word in each.small_talk.casefold().split())


def is_small_talk(text: str) -> bool:
    """ "ok", "Thanks!", "👍", "yes please": at most six words, all of them fillers."""
    words = _WORD.findall(text.casefold())
    return len(words) <= MAX_WORDS and all(word in _FILLERS for word in words)
