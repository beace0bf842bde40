"""A reply in Redis while it is being written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from shared.ephemeral.redis_client import connect_redis
from shared.ephemeral.reply_log import SKIPPED_WRITES, LogPosition, ReplyLog, read_logs
from shared.models import ConversationId, ReplyAttempt

OWN = ConversationId("0b6ce0a4-0000-4000-8000-000000000001")
ATTEMPT = ReplyAttempt(OWN, 1, 7)
LATER = ReplyAttempt(OWN, 1, 9)


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    with connect_redis(redis_url) as client:
        yield client


@pytest.fixture
def log(client: redis.Redis) -> ReplyLog:
    return ReplyLog(client, ATTEMPT)


def read_after(client: redis.Redis, attempt: ReplyAttempt, offset: int) -> str | None:
    texts = read_logs(client, [LogPosition(attempt, offset)], 10)
    return texts[0] if texts is not None else None


def test_a_reader_gets_what_it_has_not_seen_from_any_place(
    log: ReplyLog, client: redis.Redis
) -> None:
    for text in ("Once", "Once upon", "Once upon a time"):
        log.catch_up(text)
    whole = "Once upon a time"
    assert log.whole_text() == whole
    assert [read_after(client, ATTEMPT, at) for at in range(len(whole))] == [
        whole[at:] for at in range(len(whole))
    ]
    assert read_after(client, ATTEMPT, len(whole)) == ""


def test_a_later_attempt_hides_an_earlier_one(log: ReplyLog, client: redis.Redis) -> None:
    log.catch_up("First try")
    later = ReplyLog(client, LATER)
    later.catch_up("Second")
    assert read_after(client, LATER, 0) == "Second"
    assert later.whole_text() == "Second"
    assert log.whole_text() == "First try"


def test_a_stop_is_for_one_attempt(log: ReplyLog, client: redis.Redis) -> None:
    assert log.catch_up("a") is False
    log.ask_to_stop()
    assert log.catch_up("ab") is True
    assert log.stop_asked() is True
    assert ReplyLog(client, LATER).stop_asked() is False


def test_a_hole_ends_what_is_read_rather_than_garbling_it(
    log: ReplyLog, client: redis.Redis
) -> None:
    log.catch_up("Once upon")
    client.flushdb()
    log.catch_up("Once upon a time")
    assert log.whole_text() == ""
    assert read_after(client, ATTEMPT, 0) == ""
    assert read_after(client, ATTEMPT, 9) == " a time"


def test_many_logs_are_read_at_once_each_from_its_own_place(client: redis.Redis) -> None:
    other = ConversationId("0b6ce0a4-0000-4000-8000-000000000002")
    ReplyLog(client, ATTEMPT).catch_up("Once upon")
    ReplyLog(client, ReplyAttempt(other, 3, 8)).catch_up("Never again")
    positions = [
        LogPosition(ATTEMPT, 5),
        LogPosition(ReplyAttempt(other, 3, 8), 0),
        LogPosition(ReplyAttempt(other, 5, 9), 0),
    ]
    assert read_logs(client, positions, 10) == ["upon", "Never again", ""]


def test_without_redis_writing_costs_one_attempt_in_many() -> None:
    nowhere = connect_redis("redis://127.0.0.1:1/0")
    absent = ReplyLog(nowhere, ATTEMPT)
    assert absent.catch_up("a") is False
    assert absent._skip == SKIPPED_WRITES
    assert absent.catch_up("ab") is False
    assert absent._skip == SKIPPED_WRITES - 1
    assert read_after(nowhere, ATTEMPT, 0) is None
    assert absent.whole_text() == ""
