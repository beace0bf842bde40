"""What was read before a deletion and is written after it: Redis takes none of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.ephemeral.reply_log import ReplyLog
from shared.maintenance.retention import retire
from shared.maintenance.sweep import sweep
from shared.models import ConversationId, Turn
from shared.recall.newest_turns import newest_turns
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.user_data.erasure.conversations import (
    ConversationSelection,
    erase_conversation,
    erase_user,
)
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.integration.user_data.erasure.scanning import find_in_files, read_redis
from tests.services import MakeSettings, as_owner
from tests.waiting import wait_for

MARK = "Xylophagous"
Delete = Callable[[Services, Conversing], None]


def delete_me(product: Services, talk: Conversing) -> None:
    erase_user(product, RoundRunner(product, NoEncoder()), talk.user_id)


def delete_conversation(product: Services, talk: Conversing) -> None:
    assert talk.conversation_id is not None
    runner = RoundRunner(product, NoEncoder())
    erase_conversation(
        product, runner, talk.user_id, ConversationSelection(conversation_id=talk.conversation_id)
    )


@pytest.fixture(params=[delete_me, delete_conversation])
def delete(request: pytest.FixtureRequest) -> Delete:
    deletion: Delete = request.param
    return deletion


def held_in_redis(product: Services) -> str:
    return str(read_redis(product.redis))


@pytest.mark.parametrize("is_written_before", [True, False])
def test_a_reply_in_flight_leaves_no_text_and_is_told_to_end(
    product: Services, conversing: Conversing, delete: Delete, is_written_before: bool
) -> None:
    open_round = conversing.open(MARK)
    log = ReplyLog(product.redis, open_round.attempt)
    if is_written_before:
        assert not log.catch_up(MARK)
        assert MARK in held_in_redis(product)
    delete(product, conversing)
    assert MARK not in held_in_redis(product)
    assert log.catch_up(f"{MARK} and more")
    assert MARK not in held_in_redis(product)
    assert conversing.close(open_round) is None


def test_a_closed_rounds_turns_that_come_late_are_not_taken(
    product: Services, conversing: Conversing, delete: Delete
) -> None:
    current_round = conversing.round(MARK)
    conversation_id = current_round.conversation.conversation_id
    turn = Turn(role="user", content=MARK, ts=time.time(), seq=0)
    delete(product, conversing)
    product.short_term.append_turns(conversation_id, [turn])
    assert MARK not in held_in_redis(product)
    assert product.redis.zrange("stm:recent", 0, -1) == []


def test_turns_that_were_read_from_postgres_before_are_not_put_back(
    product: Services, conversing: Conversing, delete: Delete
) -> None:
    current_round = conversing.round(MARK)
    conversation_id = current_round.conversation.conversation_id

    read = list(reversed(list(newest_turns(product, conversing.user_id, conversation_id, 2, 0))))
    assert MARK in held_in_redis(product)  # the list was filled from Postgres
    delete(product, conversing)
    product.short_term.append_turns(conversation_id, read)
    assert MARK not in held_in_redis(product)


def test_a_redis_that_was_emptied_is_told_anew(
    product: Services, conversing: Conversing, delete: Delete
) -> None:
    open_round = conversing.open(MARK)
    delete(product, conversing)
    product.redis.flushdb()
    log = ReplyLog(product.redis, open_round.attempt)
    log.catch_up(MARK)  # nothing tells it yet that it must not
    sweep(product)
    assert MARK not in held_in_redis(product)
    assert log.catch_up(f"{MARK} and more")
    assert MARK not in held_in_redis(product)


def test_a_redis_that_was_away_forgets_when_it_is_back(
    product: Services,
    conversing: Conversing,
    make_settings: MakeSettings,
    delete: Delete,
    tmp_path: Path,
) -> None:
    open_round = conversing.open(MARK)
    log = ReplyLog(product.redis, open_round.attempt)
    log.catch_up(MARK)
    cut_off = Services(make_settings(redis_url=f"unix://{tmp_path}/nowhere"))
    delete(cut_off, conversing)
    cut_off.close()
    assert MARK in held_in_redis(product)
    sweep(product)
    assert MARK not in held_in_redis(product)
    assert log.catch_up(f"{MARK} and more")


def test_the_user_goes_on_as_somebody_new(product: Services, conversing: Conversing) -> None:
    conversing.round(MARK)
    delete_me(product, conversing)
    conversing.conversation_id = None
    current_round = conversing.round("Hello again")
    conversation_id = current_round.conversation.conversation_id
    turn = Turn(role="user", content="Hello again", ts=time.time(), seq=0)
    product.short_term.append_turns(conversation_id, [turn])
    assert product.short_term.list_turns(conversation_id) == [turn]
    log = ReplyLog(product.redis, current_round.attempt)
    assert not log.catch_up("Hello")
    assert log.whole_text() == "Hello"


def test_a_round_ends_without_redis_once_its_lease_is_found_lost(
    product: Services, conversing: Conversing
) -> None:
    open_round = conversing.open(MARK)
    with product.keeper.keep_renewed("reply", open_round.fencing_token) as lost:
        delete_me(product, conversing)
        product.keeper.beat()
        assert lost.is_set()


def test_the_append_only_file_is_written_anew_once_for_many_deletions(
    product: Services, conversing: Conversing
) -> None:
    folder = Path(str(product.redis.config_get("dir")["dir"]))
    mark = f"{MARK}{time.time_ns()}"

    for _ in range(3):
        conversing.conversation_id = None
        open_round = conversing.open(mark)
        log = ReplyLog(product.redis, open_round.attempt)
        log.catch_up(mark)
        delete_conversation(product, conversing)
    wait_for(lambda: find_in_files(folder, mark))
    sweep(product)
    wait_for(lambda: not find_in_files(folder, mark))
    assert count(product, "rewritten_at IS NULL") == 0


def test_tombstones_go_when_nobody_can_hold_anything_any_more(
    product: Services, conversing: Conversing
) -> None:
    conversing.round()
    delete_me(product, conversing)
    retire(product)
    assert count(product, "true") == 1
    with as_owner(product) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE tombstones SET erased_at = now() - interval '25 hours'")
    retire(product)
    assert count(product, "true") == 0


def test_a_tombstone_holds_ids_only_and_no_name(product: Services, conversing: Conversing) -> None:
    conversing.round(MARK)
    delete_me(product, conversing)
    with as_owner(product) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT t::text FROM tombstones t")
        [(text,)] = cursor.fetchall()
    assert USER not in text
    assert ConversationId(str(conversing.conversation_id)) in text


def count(product: Services, condition: str) -> int:
    with as_owner(product) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM tombstones WHERE {condition}")  # noqa: S608
        return int(cursor.fetchone()[0])  # type: ignore[index]
