"""A reply that one thread writes and others read."""

from __future__ import annotations

import threading

import pytest

from shared.models import ConversationId, Outcome, ReplyAttempt
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
