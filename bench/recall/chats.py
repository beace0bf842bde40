"""Conversations with questions about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

Spot = tuple[str, int]  # a conversation's title and a sequence number


@dataclass(frozen=True, kw_only=True)
class Asked:
    text: str
    answer: str
    #: One message of each group is needed. Empty: the question has no answer.
    groups: tuple[frozenset[Spot], ...]
    #: The ability that the question tests, as the data names it.
    kind: str = ""
    #: None: the day after the last conversation.
    asked_on: date | None = None

    @property
    def evidence(self) -> frozenset[Spot]:
        return frozenset[Spot]().union(*self.groups)


@dataclass(frozen=True, kw_only=True)
class Chat:
    """One user's conversations, and what is asked about them."""

    name: str
    #: In the import format, in order of time. Their titles differ.
    sessions: tuple[dict[str, Any], ...]
    questions: tuple[Asked, ...]
    last_day: date

    def day_of(self, question: Asked) -> date:
        return question.asked_on or self.last_day + timedelta(1)
