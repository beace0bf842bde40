"""Replies that another process writes, read along here."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from shared.ephemeral.reply_log import ReplyLog
from shared.models import Message, Outcome
from shared.policy.reasoning import RETRACTION
from shared.rounds.mirrors import ReplyMirrors
from shared.services import Services
from shared.store import messages, replies
from tests.integration.conversing import USER, Conversing
from tests.services import MakeSettings, as_owner
from tests.waiting import PATIENCE_S, wait_for


@pytest.fixture
def open_reply(product: Services) -> Message:
    """Begun by some other process."""
    open_round = Conversing(product).open("Tell me a story.")
    with as_owner(product) as connection:
        return messages.get_message(connection, open_round.conversation.conversation_id, 1)


def begin_anew(product: Services, message: Message) -> None:
    with as_owner(product) as connection:
        replies.open_reply(connection, message.conversation_id, 1, 60)


def log_of(product: Services, message: Message) -> ReplyLog:
    return ReplyLog(product.redis, message.attempt)


def close(product: Services, message: Message, text: str) -> None:
    outcome = Outcome(status="complete", content=text, model="m")
    with as_owner(product) as connection:
        replies.close_reply(connection, message.attempt, outcome)


def mirrors_of(product: Services) -> ReplyMirrors:
    return ReplyMirrors(product)


def test_a_mirror_has_the_text_as_it_comes_and_the_outcome(
    product: Services, open_reply: Message
) -> None:
    log = log_of(product, open_reply)
    log.catch_up("Once")
    live = mirrors_of(product).find(open_reply.attempt, USER)
    wait_for(lambda: live.text == "Once")
    log.catch_up("Once upon")
    wait_for(lambda: live.text == "Once upon")
    close(product, open_reply, "Once upon a time")
    outcome = live.wait(PATIENCE_S)
    assert outcome is not None
    assert (outcome.status, live.text) == ("complete", "Once upon a time")


def test_text_that_turned_out_to_be_reasoning_is_taken_back_in_a_mirror(
    product: Services, open_reply: Message
) -> None:
    log = log_of(product, open_reply)
    log.catch_up("a plan")
    live = mirrors_of(product).find(open_reply.attempt, USER)
    wait_for(lambda: live.text == "a plan")
    log.catch_up(f"a plan{RETRACTION}It is")
    wait_for(lambda: live.text == "It is")
    assert live.read_after(len("a plan")).text == f"{RETRACTION}It is"
    close(product, open_reply, "It is 4.")
    assert live.wait(PATIENCE_S)
    assert live.text == "It is 4."


def test_a_mirror_that_missed_the_retraction_has_the_answer_alone(
    product: Services, open_reply: Message
) -> None:
    log_of(product, open_reply).catch_up("a plan")
    live = mirrors_of(product).find(open_reply.attempt, USER)
    wait_for(lambda: live.text == "a plan")
    close(product, open_reply, "It is 4.")
    assert live.wait(PATIENCE_S)
    assert live.text == "It is 4."


def test_all_who_follow_a_reply_share_one_mirror_and_one_thread(
    product: Services, open_reply: Message
) -> None:
    mirrors = mirrors_of(product)
    lives = [mirrors.find(open_reply.attempt, USER) for _ in range(50)]
    assert len(set(lives)) == 1
    assert len([t for t in threading.enumerate() if t.name == "mirrors"]) == 1
    close(product, open_reply, "Done")
    assert lives[0].wait(PATIENCE_S)


def test_the_thread_ends_when_nobody_follows_any_more(
    product: Services, open_reply: Message
) -> None:
    mirrors = mirrors_of(product)
    live = mirrors.find(open_reply.attempt, USER)
    wait_for(lambda: mirrors._thread is not None)
    del live
    wait_for(lambda: mirrors._thread is None)
    live = mirrors.find(open_reply.attempt, USER)
    close(product, open_reply, "Done")
    assert live.wait(PATIENCE_S)


def test_an_attempt_that_was_begun_anew_has_no_outcome_here(
    product: Services, open_reply: Message
) -> None:
    close(product, open_reply, "First try")
    begin_anew(product, open_reply)
    live = mirrors_of(product).find(open_reply.attempt, USER)
    wait_for(lambda: live.read_after(0).is_over)
    assert live.outcome is None


def test_a_reply_that_was_deleted_ends(product: Services, open_reply: Message) -> None:
    gone = replace(open_reply, sequence_number=7)
    live = mirrors_of(product).find(gone.attempt, USER)
    wait_for(lambda: live.read_after(0).is_over)
    assert live.outcome is None


def test_without_redis_postgres_has_it_in_the_end(
    make_settings: MakeSettings, product: Services, open_reply: Message
) -> None:
    blind = Services(make_settings(redis_url="redis://127.0.0.1:1/0"))
    live = mirrors_of(blind).find(open_reply.attempt, USER)
    close(product, open_reply, "Once upon a time")
    assert live.wait(PATIENCE_S)
    assert live.text == "Once upon a time"
