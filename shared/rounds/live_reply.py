"""A reply that is being written: one thread appends, any number of readers follow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from shared.models import Outcome, ReplyAttempt
from shared.policy.reasoning import MOST_KEPT, RETRACTION
from shared.policy.text import storable


class News(NamedTuple):
    """The part of a reply that a reader has not seen yet. It is false if there is nothing new."""

    text: str
    outcome: Outcome | None
    #: Nothing more will come.
    is_over: bool
    #: What the model thinks before the text.
    reasoning: str = ""

    def __bool__(self) -> bool:
        return bool(self.text) or bool(self.reasoning) or self.is_over


class _Waiter(NamedTuple):
    call: Callable[[], None]
    #: It is called for new reasoning, too.
    wants_reasoning: bool


class LiveReply:
    """A reply while it is written: its text so far, and at the end its outcome.

    Offsets count characters of all that was ever written. Where the text so far turned out to be
    reasoning, there is a `RETRACTION`, and the text begins anew behind it. The argument `text` is
    what a continued reply already has.
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
        self._text_before = text
        self._text_at = 0  # in `history`
        self._history = text
        self._writes_since: float | None = None
        self._reasoning = ""
        self._thinks_since: float | None = None
        self._thought_until: float | None = None
        self._outcome: Outcome | None = None
        self._is_over = False
        self._changed = threading.Condition()
        self._waiters: list[_Waiter] = []
        self._end_callbacks: list[Callable[[], None]] = []

    @property
    def text(self) -> str:
        return self._history[self._text_at :]

    @property
    def history(self) -> str:
        """The text, behind all texts that were retracted."""
        return self._history

    @property
    def outcome(self) -> Outcome | None:
        """Set once the round is closed."""
        return self._outcome

    @property
    def reasoning(self) -> str:
        """The model's reasoning, cut off after `MOST_KEPT` characters."""
        return self._reasoning

    @property
    def reasoning_ms(self) -> int | None:
        """Milliseconds that the model reasoned before its first word. None: it did not reason."""
        if self._thinks_since is None:
            return None
        until = time.monotonic() if self._thought_until is None else self._thought_until
        return round((until - self._thinks_since) * 1000)

    def append(self, piece: str) -> None:
        with self._changed:
            if self._writes_since is None:
                self._writes_since = time.monotonic()
            self._history += piece
            if RETRACTION in piece:
                self._text_at = self._history.rindex(RETRACTION) + 1
            if self._thinks_since is not None and self._thought_until is None:
                self._thought_until = time.monotonic()
            self._notify()

    def think(self, piece: str) -> None:
        """Add a piece of the model's reasoning. Characters beyond `MOST_KEPT` are dropped."""
        with self._changed:
            if self._thinks_since is None:
                self._thinks_since = time.monotonic()
            self._keep_reasoning(piece)
            self._notify(is_reasoning=True)

    def retract(self) -> None:
        """What was written so far was reasoning. The text is again what it was at the beginning."""
        thought = self.text[len(self._text_before) :]
        with self._changed:
            self._thinks_since = self._thinks_since or self._writes_since
            self._keep_reasoning(thought)
        self.append(RETRACTION + self._text_before)

    def finish(self, outcome: Outcome) -> None:
        with self._changed:
            self._outcome = outcome
            self._end()

    def interrupt(self) -> None:
        """Stop the writing. Sets `is_interrupted`, unless a user had asked to stop before."""
        self.is_interrupted = not self.stop_asked.is_set()
        self.stop_asked.set()

    def hand_over(self) -> None:
        """End without an outcome: another attempt writes the reply, and readers follow that one."""
        with self._changed:
            self._end()

    def read_after(self, offset: int, reasoning_offset: int = 0) -> News:
        """The news after these offsets, without waiting."""
        with self._changed:
            reasoning = self._reasoning[reasoning_offset:]
            return News(self._history[offset:], self._outcome, self._is_over, reasoning)

    def wait_for_news(self, timeout_s: float) -> News:
        """Wait for the first word or the end. The news may still be empty after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._history) or self._is_over, timeout_s)
            return News(self.text, self._outcome, self._is_over)

    def call_on_news(
        self, offset: int, call: Callable[[], None], *, reasoning_offset: int | None = None
    ) -> None:
        """Call `call` once when there is news after the offsets.

        It is called now, or later in the writing thread. Without a `reasoning_offset` new reasoning
        is no news.
        """
        with self._changed:
            wants_reasoning = reasoning_offset is not None
            has_more = wants_reasoning and len(self._reasoning) > (reasoning_offset or 0)
            if len(self._history) <= offset and not has_more and not self._is_over:
                self._waiters.append(_Waiter(call, wants_reasoning))
                return
        call()

    def call_at_end(self, call: Callable[[], None]) -> None:
        """Call `call` once when nothing more will come: now, or later in the writing thread."""
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

    def _keep_reasoning(self, piece: str) -> None:
        left = MOST_KEPT - len(self._reasoning)
        text = storable(piece)
        self._reasoning += text if len(text) < left else f"{text[: left - 1]}…"[:left]

    def _end(self) -> None:
        self._is_over = True
        self._waiters += [_Waiter(call, wants_reasoning=False) for call in self._end_callbacks]
        self._end_callbacks.clear()
        self._notify()

    def _notify(self, *, is_reasoning: bool = False) -> None:
        self._changed.notify_all()
        waiters = self._waiters
        self._waiters = [
            callback for callback in waiters if is_reasoning and not callback.wants_reasoning
        ]
        for waiter in waiters:
            if waiter.wants_reasoning or not is_reasoning:
                waiter.call()
