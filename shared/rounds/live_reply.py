"""A reply that is being written: one thread appends, any number of readers follow."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from shared.models import Outcome, ReplyAttempt


class News(NamedTuple):
    """The text and outcome that a reader has not seen yet. False: there is nothing new."""

    text: str
    outcome: Outcome | None
    #: Nothing more will come.
    is_over: bool

    def __bool__(self) -> bool:
        return bool(self.text) or self.is_over


class LiveReply:
    """The text so far, and finally the outcome. Offsets count characters of the text.

    `text` is the text that a continued reply already has.
    """

    def __init__(self, attempt: ReplyAttempt, text: str = "", model: str | None = None) -> None:
        self.attempt = attempt
        #: The model that was asked. None: another process asks, or has asked.
        self.model = model
        #: Where the new text begins.
        self.start = len(text)
        #: Somebody wants the writing to end.
        self.stop_asked = threading.Event()
        #: The reply was deleted, or somebody else has closed the round.
        self.lease_lost = threading.Event()
        self.is_interrupted = False
        self._text = text
        self._outcome: Outcome | None = None
        self._is_over = False
        self._changed = threading.Condition()
        self._callbacks: list[Callable[[], None]] = []
        self._end_callbacks: list[Callable[[], None]] = []

    @property
    def text(self) -> str:
        return self._text

    @property
    def outcome(self) -> Outcome | None:
        """Set once the round is closed."""
        return self._outcome

    def append(self, piece: str) -> None:
        with self._changed:
            self._text += piece
            self._notify()

    def finish(self, outcome: Outcome) -> None:
        with self._changed:
            self._outcome = outcome
            self._end()

    def interrupt(self) -> None:
        """Stop the writing. `is_interrupted` tells that no user has asked for it before."""
        self.is_interrupted = not self.stop_asked.is_set()
        self.stop_asked.set()

    def hand_over(self) -> None:
        """End without an outcome: another attempt writes this reply, and readers look for it."""
        with self._changed:
            self._end()

    def read_after(self, offset: int) -> News:
        """The news after `offset`, without waiting."""
        with self._changed:
            return News(self._text[offset:], self._outcome, self._is_over)

    def wait_for_news(self, timeout_s: float) -> News:
        """Wait for the first word or the end. The news may still be empty after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._text) or self._is_over, timeout_s)
            return News(self._text, self._outcome, self._is_over)

    def call_on_news(self, offset: int, call: Callable[[], None]) -> None:
        """Call once when there is news after `offset`: now, or later in the writing thread."""
        with self._changed:
            if len(self._text) <= offset and not self._is_over:
                self._callbacks.append(call)
                return
        call()

    def call_at_end(self, call: Callable[[], None]) -> None:
        """Call once when nothing more will come: now, or later in the writing thread."""
        with self._changed:
            if not self._is_over:
                self._end_callbacks.append(call)
                return
        call()

    def wait(self, timeout_s: float | None = None) -> Outcome | None:
        """Wait for the outcome. None: `timeout_s` is over, or there is no outcome."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over, timeout_s)
            return self._outcome

    def _end(self) -> None:
        self._is_over = True
        self._callbacks += self._end_callbacks
        self._end_callbacks.clear()
        self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        callbacks, self._callbacks = self._callbacks, []
        for call in callbacks:
            call()
