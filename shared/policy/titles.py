"""The title of a conversation: chooses the messages for it, and reads it from the answer."""

from __future__ import annotations

import re

from shared.models import Span
from shared.policy.reasoning import without_reasoning

FIRST_MESSAGES = 4  # a title describes the beginning of a conversation
MAX_CHARS = 80
HEADING = re.compile(r"^(?:#+|title:)\s*", re.IGNORECASE)
_FIELD = re.compile(r'"title"\s*:\s*"((?:[^"\\]|\\.)*)"')
_FENCE = re.compile(r"\s*```")
_TAG = re.compile(r"</?[a-z]+>", re.IGNORECASE)
#: "Sure! Here is a title:"
_LEAD = re.compile(r"[^\n]*\b(?:title|sure|here|certainly|of course)\b[^\n]*:\s*$", re.IGNORECASE)
AROUND = " \t\"'`*_“”„«»‘’"


def title_span(last_saved: int) -> Span:
    """The first `FIRST_MESSAGES` messages, or all messages if there are fewer."""
    return Span(start=0, end=min(last_saved, FIRST_MESSAGES - 1))


def read_title(answer: str) -> str | None:
    """The first line without quotation marks and full stop, or the title in an answer of JSON.

    None: the line is empty or longer than `MAX_CHARS`.
    """
    text = _TAG.sub("", without_reasoning(answer))
    field = _FIELD.search(text)
    lines = [field[1]] if field else [each for each in text.splitlines() if not _FENCE.match(each)]
    line = next((each for each in lines if each.strip(AROUND) and not _LEAD.match(each)), "")
    title = HEADING.sub("", line.strip(AROUND)).strip(AROUND).removesuffix(".").strip(AROUND)
    return title if 0 < len(title) <= MAX_CHARS else None
