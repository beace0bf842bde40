"""The title of a conversation: chooses the messages for it, and reads it from the answer."""

from __future__ import annotations

import re

from shared.models import Span

FIRST_MESSAGES = 4  # a title describes the beginning of a conversation
MAX_CHARS = 80
HEADING = re.compile(r"^(?:#+|title:)\s*", re.IGNORECASE)
AROUND = " \t\"'`*_“”„«»‘’"


def title_span(last_saved: int) -> Span:
    """The first `FIRST_MESSAGES` messages, or all messages if there are fewer."""
    return Span(start=0, end=min(last_saved, FIRST_MESSAGES - 1))


def read_title(answer: str) -> str | None:
    """The first line without quotation marks and full stop.

    None: the line is empty or longer than `MAX_CHARS`.
    """
    line = next((line for line in answer.splitlines() if line.strip(AROUND)), "")
    title = HEADING.sub("", line.strip(AROUND)).strip(AROUND).removesuffix(".").strip(AROUND)
    return title if 0 < len(title) <= MAX_CHARS else None
