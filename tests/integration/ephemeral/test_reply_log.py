"""A reply in Redis while it is being written."""

from __future__ import annotations

import pytest
import redis

from shared.ephemeral.client import connect_redis
from shared.ephemeral.reply_log import SKIPPED_WRITES, LogPosition, ReplyLog, read_logs
from shared.models import ConversationId

OWN = ConversationId("0b6ce0a4-0000-4000-8000-000000000001")


@pytest.fixture
def client(redis_url: str) -> redis.Redis:
    return connect_redis(redis_url)


@pytest.fixture
def log(client: redis.Redis) -> ReplyLog:
    return ReplyLog(client, OWN, 1)


def read_after(client: redis.Redis, token: int, offset: int) -> str | None:
    texts = read_logs(client, [LogPosition(OWN, 1, token, offset)], 10)
    return texts[0] if texts is not None else None


def test_a_reader_gets_what_it_has_not_seen_from_any_place(
    log: ReplyLog, client: redis.Redis
) -> None:
    for text in ("Once", "Once upon", "Once upon a time"):
        log.catch_up(7, text)
    whole = "Once upon a time"
    assert log.whole_text(7) == whole
    assert [read_after(client, 7, at) for at in range(len(whole))] == [
        whole[at:] for at in range(len(whole))
    ]
    assert read_after(client, 7, len(whole)) == ""


def test_a_later_try_hides_an_earlier_one(log: ReplyLog, client: redis.Redis) -> None:
    log.catch_up(7, "First try")
    again = ReplyLog(client, OWN, 1)
    again.catch_up(9, "Second")
    assert read_after(client, 9, 0) == "Second"
    assert again.whole_text(9) == "Second"
    assert again.whole_text(7) == "First try"


def test_a_stop_is_for_one_try(log: ReplyLog) -> None:
    assert log.catch_up(7, "a") is False
    log.ask_to_stop(7)
    assert log.catch_up(7, "ab") is True
    assert log.stop_asked(7) is True
    assert log.stop_asked(8) is False


def test_a_hole_ends_what_is_read_rather_than_garbling_it(
    log: ReplyLog, client: redis.Redis
) -> None:
    log.catch_up(7, "Once upon")
    client.flushdb()
    log.catch_up(7, "Once upon a time")
    assert log.whole_text(7) == ""
    assert read_after(client, 7, 0) == ""
    assert read_after(client, 7, 9) == " a time"


def test_many_logs_are_read_at_once_each_from_its_own_place(client: redis.Redis) -> None:
    other = ConversationId("0b6ce0a4-0000-4000-8000-000000000002")
    ReplyLog(client, OWN, 1).catch_up(7, "Once upon")
    ReplyLog(client, other, 3).catch_up(8, "Never again")
    positions = [
        LogPosition(OWN, 1, 7, 5),
        LogPosition(other, 3, 8, 0),
        LogPosition(other, 5, 9, 0),
    ]
    assert read_logs(client, positions, 10) == ["upon", "Never again", ""]


def test_without_redis_writing_costs_one_attempt_in_many() -> None:
    nowhere = connect_redis("redis://127.0.0.1:1/0")
    absent = ReplyLog(nowhere, OWN, 1)
    assert absent.catch_up(7, "a") is False
    assert absent._skip == SKIPPED_WRITES
    assert absent.catch_up(7, "ab") is False
    assert absent._skip == SKIPPED_WRITES - 1
    assert read_after(nowhere, 7, 0) is None
    assert absent.whole_text(7) == ""
