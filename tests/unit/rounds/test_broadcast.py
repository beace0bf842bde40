"""The model's pieces on their way to readers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.models import ConversationId, ReplyAttempt
from shared.rounds.broadcast import broadcast
from shared.rounds.live_reply import LiveReply
from shared.timing import Steps

ATTEMPT = ReplyAttempt(ConversationId("0b6ce0a4-0000-4000-8000-000000000001"), 1, 7)


class MemoryLog:
    """As the log in Redis."""

    def __init__(self) -> None:
        self.text = ""
        self.char_count = 0

    def catch_up(self, text: str) -> bool:
        self.text, self.char_count = text, len(text)
        return False

    def stop_asked(self) -> bool:
        return False


@pytest.fixture
def live() -> LiveReply:
    return LiveReply(ATTEMPT)


def test_readers_here_and_elsewhere_get_all_pieces(live: LiveReply) -> None:
    log = MemoryLog()
    broadcast(["Once", None, " upon", " a time"], live, log, Steps())
    assert live.text == log.text == "Once upon a time"


def test_the_first_text_is_timed_once(live: LiveReply) -> None:
    steps = Steps()
    broadcast([None, "Once"], live, MemoryLog(), steps)
    first = steps.taken_ms["first_token"]
    broadcast([" upon"], live, MemoryLog(), steps)
    assert steps.taken_ms["first_token"] == first


def test_without_any_text_no_first_text_is_timed(live: LiveReply) -> None:
    steps = Steps()
    broadcast([None, None], live, MemoryLog(), steps)
    assert "first_token" not in steps.taken_ms


def test_after_a_stop_no_further_piece_is_taken_and_the_log_has_all_before(
    live: LiveReply,
) -> None:
    log, texts = MemoryLog(), []

    def pieces() -> Iterator[str]:
        for piece in ("Once", " upon", " a time"):
            if piece == " upon":
                live.stop_asked.set()
            texts.append(piece)
            yield piece

    broadcast(pieces(), live, log, Steps())
    assert texts == ["Once", " upon"]
    assert live.text == log.text == "Once upon"
    assert not live.is_interrupted


def test_a_lost_lease_interrupts_the_reply(live: LiveReply) -> None:
    live.lease_lost.set()
    broadcast(["Once", " upon"], live, MemoryLog(), Steps())
    assert live.text == "Once"
    assert live.is_interrupted
