"""A reply that one thread writes and others read."""

from __future__ import annotations

import threading

import pytest

from shared.models import ConversationId, Outcome, ReplyAttempt
from shared.policy.reasoning import MOST_KEPT
from shared.rounds.live_reply import LiveReply

ATTEMPT = ReplyAttempt(ConversationId("0b6ce0a4-0000-4000-8000-000000000001"), 1, 7)
DONE = Outcome(status="complete", content="Once upon")


@pytest.fixture
def live() -> LiveReply:
    return LiveReply(ATTEMPT)


def test_a_reader_gets_what_it_has_not_seen(live: LiveReply) -> None:
    live.append("Once")
    live.append(" upon")
    assert live.read_after(0).text == "Once upon"
    assert live.read_after(4).text == " upon"
    assert not live.read_after(9)


def test_the_end_is_news_even_without_text(live: LiveReply) -> None:
    live.append("Once upon")
    live.finish(DONE)
    news = live.read_after(9)
    assert news
    assert (news.text, news.outcome, news.is_over) == ("", DONE, True)


def test_a_continued_reply_begins_with_its_old_text() -> None:
    live = LiveReply(ATTEMPT, "Once")
    live.append(" upon")
    assert live.read_after(0).text == "Once upon"


def test_a_reply_that_is_handed_over_ends_without_an_outcome(live: LiveReply) -> None:
    live.hand_over()
    assert live.read_after(0).is_over
    assert live.wait() is None


def test_who_waits_is_woken_by_the_end(live: LiveReply) -> None:
    writer = threading.Thread(target=live.finish, args=(DONE,))
    writer.start()
    assert live.wait() == DONE
    writer.join()


def test_a_callback_is_called_once_when_there_is_something_new(live: LiveReply) -> None:
    calls: list[str] = []
    live.call_on_news(0, lambda: calls.append("first"))
    assert calls == []
    live.append("Once")
    live.append(" upon")
    assert calls == ["first"]


def test_a_callback_for_what_is_there_already_is_called_at_once(live: LiveReply) -> None:
    calls: list[str] = []
    live.append("Once")
    live.call_on_news(0, lambda: calls.append("first"))
    assert calls == ["first"]


@pytest.mark.parametrize(("user_was_first", "is_interrupted"), [(True, False), (False, True)])
def test_an_interruption_does_not_hide_that_the_user_has_stopped_the_reply(
    live: LiveReply, user_was_first: bool, is_interrupted: bool
) -> None:
    if user_was_first:
        live.stop_asked.set()
    live.interrupt()
    assert live.stop_asked.is_set()
    assert live.is_interrupted is is_interrupted


def test_reasoning_is_no_text_and_no_news_for_who_waits_for_text(live: LiveReply) -> None:
    calls: list[str] = []
    live.call_on_news(0, lambda: calls.append("text"))
    live.call_on_news(0, lambda: calls.append("anything"), reasoning_offset=0)
    live.think("They greet me.")
    assert (live.text, calls) == ("", ["anything"])
    live.append("Hello")
    assert calls == ["anything", "text"]


def test_reasoning_that_is_there_already_is_news_at_once(live: LiveReply) -> None:
    calls: list[str] = []
    live.think("They greet me.")
    live.call_on_news(0, lambda: calls.append("anything"), reasoning_offset=4)
    assert calls == ["anything"]


def test_reasoning_is_kept_to_its_limit_and_timed_to_the_first_word(live: LiveReply) -> None:
    for _ in range(3):
        live.think("a\x00b" * MOST_KEPT)
    live.append("Hello")
    took_ms = live.reasoning_ms
    live.append(" again")
    assert took_ms is not None
    assert live.reasoning_ms == took_ms
    assert live.reasoning == ("ab" * MOST_KEPT)[: MOST_KEPT - 1] + "…"


def test_a_reply_without_reasoning_has_no_time_of_it(live: LiveReply) -> None:
    live.append("Hello")
    assert live.reasoning_ms is None
