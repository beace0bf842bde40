"""A reply while it is being written: one thread appends, any number read along."""

from __future__ import annotations

import threading

from shared.models import ConversationId, Outcome


class LiveReply:
    """Offsets count characters of the text. `text` is there already when a reply is continued."""

    def __init__(
        self, conversation_id: ConversationId, sequence: int, fencing_token: int, text: str = ""
    ) -> None:
        self.conversation_id = conversation_id
        self.sequence = sequence
        self.fencing_token = fencing_token
        self.stop_asked = threading.Event()
        self.is_interrupted = False
        self.is_superseded = False
        self._text = text
        self._outcome: Outcome | None = None
        self._news = threading.Condition()

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
            self._news.notify_all()

    def finish(self, outcome: Outcome) -> None:
        with self._news:
            self._outcome = outcome
            self._news.notify_all()

    def interrupt(self) -> None:
        """Stop for a reason of ours, not because the user has asked for it."""
        self.is_interrupted = not self.stop_asked.is_set()
        self.stop_asked.set()

    def hand_over(self) -> None:
        """Somebody else is writing this reply anew: who reads along is to look there."""
        with self._news:
            self.is_superseded = True
            self._news.notify_all()

    def read_from(self, offset: int, timeout_s: float) -> tuple[str, Outcome | None]:
        """What came after `offset`; waits for something to come, `timeout_s` at most."""
        with self._news:
            self._news.wait_for(lambda: len(self._text) > offset or self._is_over(), timeout_s)
            return self._text[offset:], self._outcome

    def wait(self, timeout_s: float | None = None) -> Outcome | None:
        """The outcome, or None when the time is over first or the reply is written elsewhere."""
        with self._news:
            self._news.wait_for(self._is_over, timeout_s)
            return self._outcome

    def _is_over(self) -> bool:
        return self._outcome is not None or self.is_superseded
