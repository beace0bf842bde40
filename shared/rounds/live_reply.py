"""A reply while it is being written: one thread appends, any number read along."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from shared.models import ConversationId, Outcome


class News(NamedTuple):
    """What a reader has not seen yet. `is_over`: nothing more will come."""

    text: str
    outcome: Outcome | None
    is_over: bool

    def __bool__(self) -> bool:
        return bool(self.text) or self.is_over


class LiveReply:
    """Offsets count characters of the text. `text` is there already when a reply is continued."""

    def __init__(
        self, conversation_id: ConversationId, sequence: int, fencing_token: int, text: str = ""
    ) -> None:
        self.conversation_id = conversation_id
        self.sequence = sequence
        self.fencing_token = fencing_token
        self.stop_asked = threading.Event()
        self.lease_lost = threading.Event()  # it was deleted, or somebody else has closed it
        self.is_interrupted = False
        self._text = text
        self._outcome: Outcome | None = None
        self._is_over = False
        self._news = threading.Condition()
        self._calls: list[Callable[[], None]] = []

    @property
    def text(self) -> str:
        return self._text

    @property
    def outcome(self) -> Outcome | None:
        """Set once the reply is closed."""
        return self._outcome

    def append(self, piece: str) -> None:
        with self._news:
            self._text += piece
            self._tell()

    def finish(self, outcome: Outcome) -> None:
        with self._news:
            self._outcome, self._is_over = outcome, True
            self._tell()

    def interrupt(self) -> None:
        """Stop for a reason of ours, not because the user has asked for it."""
        self.is_interrupted = not self.stop_asked.is_set()
        self.stop_asked.set()

    def hand_over(self) -> None:
        """Somebody else is writing this reply anew: who reads along is to look there."""
        with self._news:
            self._is_over = True
            self._tell()

    def read_after(self, offset: int) -> News:
        """At once; false when there is nothing new."""
        with self._news:
            return News(self._text[offset:], self._outcome, self._is_over)

    def call_on_news(self, offset: int, call: Callable[[], None]) -> None:
        """Once, when something comes after `offset`: at once, or in the thread that writes."""
        with self._news:
            if len(self._text) <= offset and not self._is_over:
                self._calls.append(call)
                return
        call()

    def wait(self, timeout_s: float | None = None) -> Outcome | None:
        """The outcome, or None when the time is over first, or none will come."""
        with self._news:
            self._news.wait_for(lambda: self._is_over, timeout_s)
            return self._outcome

    def _tell(self) -> None:
        self._news.notify_all()
        calls, self._calls = self._calls, []
        for call in calls:
            call()
