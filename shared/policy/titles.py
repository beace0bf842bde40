"""The title of a conversation: which messages it is made from, and reading it from an answer."""

from __future__ import annotations

import re

from shared.models import Span

FIRST_MESSAGES = 4  # a title names how a conversation began
MAX_CHARS = 80
HEADING = re.compile(r"^(?:#+|title:)\s*", re.IGNORECASE)
AROUND = " \t\"'`*_“”„«»‘’"


def title_span(last_saved: int) -> Span:
    """The first `FIRST_MESSAGES` messages, or all of fewer."""
    return Span(start=0, end=min(last_saved, FIRST_MESSAGES - 1))


def read_title(answer: str) -> str | None:
    """The first line without quotation marks and full stop.

    None: it is empty, or longer than `MAX_CHARS`, and so no title.
    """
    line = next((line for line in answer.splitlines() if line.strip(AROUND)), "")
    title = HEADING.sub("", line.strip(AROUND)).strip(AROUND).removesuffix(".").strip(AROUND)
    return title if 0 < len(title) <= MAX_CHARS else None
