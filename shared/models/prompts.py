"""Prompts: texts that a user keeps, to put into messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

MAX_PROMPTS = 200  # of one user
MAX_NAME_CHARS = 60
MAX_TEXT_CHARS = 8_000


@dataclass(frozen=True, kw_only=True)
class PromptText:
    """What its user writes."""

    #: By which it is found on the page.
    name: str
    #: What is put into a message. It may hold gaps to fill in, such as {{city}}.
    text: str


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A row of `prompts`."""

    prompt_id: int
    text: PromptText
    created_at: datetime
