"""Short-term memory on a real server, and without one: turns, TTL, eviction."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis

from shared.ephemeral.keys import RECENT
from shared.ephemeral.redis_client import connect_redis
from shared.ephemeral.short_term import ShortTermMemory
from shared.models import ConversationId, Turn
from tests.services import MakeSettings
from tests.waiting import wait_for


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    with connect_redis(redis_url) as client:
        yield client


def conversation() -> ConversationId:
    return ConversationId(str(uuid4()))


def turns(first: int, last: int, ts: float = 1.0) -> list[Turn]:
    return [
        Turn(role="assistant" if seq % 2 else "user", content=f"text {seq}", ts=ts, seq=seq)
        for seq in range(first, last + 1)
    ]


def sequences(memory: ShortTermMemory, conversation_id: ConversationId) -> list[int]:
    return [turn.seq for turn in memory.list_turns(conversation_id)]


def test_turns_come_back_as_they_were_and_only_the_newest_are_kept(
    client: redis.Redis, make_settings: MakeSettings
) -> None:
    memory = ShortTermMemory(client, make_settings(memory_max_turns=4))
    conversation_id = conversation()
    memory.append_turns(conversation_id, turns(0, 1))
    assert memory.list_turns(conversation_id) == turns(0, 1)
    memory.append_turns(conversation_id, turns(2, 5))
    assert sequences(memory, conversation_id) == [2, 3, 4, 5]


def test_a_conversation_expires_and_reading_does_not_prolong_its_life(
    client: redis.Redis, make_settings: MakeSettings
) -> None:
    memory = ShortTermMemory(client, make_settings(memory_ttl_min=7))
    conversation_id = conversation()
    memory.append_turns(conversation_id, turns(0, 1))
    assert client.ttl(f"stm:{conversation_id}") == pytest.approx(420, abs=2)
    client.expire(f"stm:{conversation_id}", 100)
    memory.list_turns(conversation_id)
    assert client.ttl(f"stm:{conversation_id}") <= 100
    memory.append_turns(conversation_id, turns(2, 3))
    assert client.ttl(f"stm:{conversation_id}") == pytest.approx(420, abs=2)
    client.pexpire(f"stm:{conversation_id}", 1)
    wait_for(lambda: memory.list_turns(conversation_id) == [])


def test_the_conversation_that_was_quiet_for_longest_is_evicted(
    client: redis.Redis, make_settings: MakeSettings
) -> None:
    memory = ShortTermMemory(client, make_settings(memory_max_conversations=2))
    first, second, third = conversation(), conversation(), conversation()
    memory.append_turns(first, turns(0, 1, ts=1))
    memory.append_turns(second, turns(0, 1, ts=2))
    memory.append_turns(first, turns(2, 3, ts=3))
    memory.append_turns(third, turns(0, 1, ts=4))
    assert sequences(memory, second) == []
    assert sequences(memory, first) == [0, 1, 2, 3]
    assert sequences(memory, third) == [0, 1]
    assert client.zrange(RECENT, 0, -1) == [first, third]


def test_a_reply_that_is_written_anew_replaces_the_old_one(
    client: redis.Redis, make_settings: MakeSettings
) -> None:
    memory = ShortTermMemory(client, make_settings())
    conversation_id = conversation()
    memory.append_turns(conversation_id, turns(0, 3))
    anew = Turn(role="assistant", content="better", ts=9.0, seq=3)
    memory.append_turns(conversation_id, [turns(2, 2)[0], anew])
    assert sequences(memory, conversation_id) == [0, 1, 2, 3]
    assert memory.list_turns(conversation_id)[-1] == anew


def test_flushing_drops_turns_up_to_a_sequence_and_may_be_repeated(
    client: redis.Redis, make_settings: MakeSettings
) -> None:
    memory = ShortTermMemory(client, make_settings())
    conversation_id = conversation()
    memory.append_turns(conversation_id, turns(0, 7))
    memory.flush_turns(conversation_id, 3)
    memory.flush_turns(conversation_id, 3)
    assert sequences(memory, conversation_id) == [4, 5, 6, 7]
    memory.forget(conversation_id)
    assert sequences(memory, conversation_id) == []
    assert client.zscore(RECENT, conversation_id) is None


def test_without_redis_nothing_fails_and_nothing_is_remembered(
    make_settings: MakeSettings,
) -> None:
    absent = connect_redis("redis://127.0.0.1:1/0")
    memory = ShortTermMemory(absent, make_settings())
    conversation_id = conversation()
    memory.append_turns(conversation_id, turns(0, 1))
    memory.flush_turns(conversation_id, 1)
    memory.forget(conversation_id)
    assert memory.list_turns(conversation_id) == []
