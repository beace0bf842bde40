"""The concurrency limit and waiting rounds, across several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import redis

from shared.ephemeral.admission import ConcurrencyLimit, Slot, SlotRequest, WaitingRounds
from shared.ephemeral.admission.leases import Keys
from shared.ephemeral.redis_client import connect_redis
from shared.llm import server_of
from shared.settings import Settings
from tests.services import MakeSettings

SERVER = "http://127.0.0.1:9/v1"
KEYS = Keys.of(SERVER)
LIVE = SlotRequest(kind="summary", job_id=1, rank=1, is_quick=False)
FACTS = SlotRequest(kind="facts", job_id=4, rank=0, is_quick=False)
BACKLOG = SlotRequest(kind="facts", job_id=3, rank=2, is_quick=False)

MakeLimit = Callable[..., ConcurrencyLimit]


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    with connect_redis(redis_url) as client:
        yield client


@pytest.fixture
def make_limit(client: redis.Redis, make_settings: MakeSettings) -> Iterator[MakeLimit]:
    """The limit as one process sees it, by default at a model of `SERVER`."""
    limits: list[ConcurrencyLimit] = []

    def make(*, connection: redis.Redis = client, **overrides: object) -> ConcurrencyLimit:
        defaults = {"llm_model": "any", "llm_api_base": SERVER, "memory_max_calls": 2}
        settings = make_settings(**(defaults | overrides))
        server = server_of(settings.effective_memory_model, settings)
        limits.append(ConcurrencyLimit(connection, server, settings))
        return limits[-1]

    yield make
    for limit in limits:
        limit.stop()


def make_rounds(client: redis.Redis, settings: Settings) -> WaitingRounds:
    return WaitingRounds(client, server_of(settings.llm_model, settings))


@pytest.fixture
def rounds(client: redis.Redis, make_settings: MakeSettings) -> Iterator[WaitingRounds]:
    waiting_rounds = make_rounds(client, make_settings(llm_model="any", llm_api_base=SERVER))
    yield waiting_rounds
    waiting_rounds.stop()


def acquired(limit: ConcurrencyLimit, job: SlotRequest = LIVE) -> Slot:
    slot = limit.acquire(job)
    assert isinstance(slot, Slot), slot
    return slot


def test_the_limit_holds_over_all_processes(make_limit: MakeLimit) -> None:
    limit, other = make_limit(), make_limit()
    first = acquired(limit)
    acquired(other)
    assert limit.acquire(LIVE) == "limit"
    assert other.acquire(LIVE) == "limit"
    with first:
        pass
    acquired(other)


def test_there_are_never_more_calls_than_slots(make_limit: MakeLimit) -> None:
    lock, at_once, most = threading.Lock(), 0, 0

    def work(limit: ConcurrencyLimit) -> None:
        nonlocal at_once, most
        for _ in range(40):
            slot = limit.acquire(LIVE)
            if not isinstance(slot, Slot):
                continue
            with slot:
                with lock:
                    at_once += 1
                    most = max(most, at_once)
                with lock:
                    at_once -= 1

    processes = [make_limit(memory_max_calls=3) for _ in range(2)]
    threads = [threading.Thread(target=work, args=(processes[n % 2],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= most <= 3


def test_memory_waits_until_a_round_is_answered_to_its_end(
    make_limit: MakeLimit, rounds: WaitingRounds
) -> None:
    limit = make_limit()
    words: list[str] = []
    with rounds.announce(lambda: len(words)):
        assert limit.acquire(LIVE) == "rounds"
        words.append("Hello")
        rounds.renew()
        assert limit.acquire(FACTS) == "rounds"
        assert limit.is_waiting()
    slot = limit.wait_for_slot(FACTS)
    assert isinstance(slot, Slot)
    assert not limit.is_waiting()


@pytest.mark.parametrize(("job", "pauses"), [(FACTS, 1), (LIVE, 2), (BACKLOG, 2)])
def test_memory_waits_as_long_as_the_last_reply_took(
    make_limit: MakeLimit,
    rounds: WaitingRounds,
    client: redis.Redis,
    job: SlotRequest,
    pauses: int,
) -> None:
    limit = make_limit()
    with rounds.announce():
        pass
    ended_ms, _ = map(int, str(client.get(KEYS.ended)).split())
    client.set(KEYS.ended, f"{ended_ms - pauses * 20_000 + 5_000} 20000")
    assert limit.acquire(job) == "rounds"
    client.set(KEYS.ended, f"{ended_ms - pauses * 20_000} 20000")
    with acquired(limit, job):
        pass


def test_a_quick_server_that_writes_two_replies_at_once_serves_memory_beside_them(
    make_limit: MakeLimit, rounds: WaitingRounds
) -> None:
    limit, quick = make_limit(), replace(FACTS, is_quick=True)
    words: list[str] = []
    with rounds.announce(lambda: len(words)), rounds.announce(lambda: len(words)):
        for _ in range(2):
            assert limit.acquire(quick) == "rounds"
            words.append("Hello")
            rounds.renew()
        assert limit.acquire(FACTS) == "rounds"
        slot = acquired(limit, quick)
        limit.renew()
        assert not slot.is_revoked


def test_a_round_that_ends_without_a_word_waits_no_more(
    make_limit: MakeLimit, rounds: WaitingRounds
) -> None:
    with pytest.raises(LookupError), rounds.announce():
        raise LookupError
    assert isinstance(make_limit().wait_for_slot(LIVE), Slot)


def test_rounds_at_another_model_are_none_of_its_business(
    make_limit: MakeLimit, rounds: WaitingRounds
) -> None:
    with rounds.announce():
        acquired(make_limit(llm_api_base="", llm_model="gpt-4o"))
        assert make_limit(memory_model="another of that server").acquire(LIVE) == "rounds"


def test_the_backlog_waits_behind_a_live_job(make_limit: MakeLimit) -> None:
    limit, other = make_limit(memory_max_calls=1), make_limit(memory_max_calls=1)
    with acquired(limit, BACKLOG):
        assert limit.acquire(LIVE) == "limit"
    assert other.acquire(BACKLOG) == "behind"
    with acquired(limit):
        pass
    acquired(other, BACKLOG)


def test_a_summary_waits_behind_facts(make_limit: MakeLimit) -> None:
    limit, other = make_limit(memory_max_calls=1), make_limit(memory_max_calls=1)
    with acquired(limit):
        assert limit.acquire(FACTS) == "limit"
    assert other.acquire(LIVE) == "behind"
    with acquired(limit, FACTS):
        pass
    acquired(other)


def test_a_call_that_stands_in_the_way_of_a_round_is_revoked_at_ones_own_server_only(
    make_limit: MakeLimit, rounds: WaitingRounds, client: redis.Redis, make_settings: MakeSettings
) -> None:
    hosted_rounds = make_rounds(client, make_settings(llm_model="gpt-4o"))
    local, hosted = make_limit(), make_limit(llm_api_base="", llm_model="gpt-4o")
    at_local, at_hosted = acquired(local), acquired(hosted)
    local.renew()
    assert not at_local.is_revoked
    with rounds.announce(), hosted_rounds.announce():
        local.renew()
        hosted.renew()
    hosted_rounds.stop()
    assert (at_local.is_revoked, at_hosted.is_revoked) == (True, False)


def test_what_a_dead_process_held_is_free_when_its_lease_is_over(
    make_limit: MakeLimit, client: redis.Redis
) -> None:
    dead, alive = make_limit(memory_max_calls=1), make_limit(memory_max_calls=1)
    slot = acquired(dead)
    dead.stop()
    assert alive.acquire(LIVE) == "limit"
    client.zadd(KEYS.rounds, {"of a dead process": 1})
    client.zadd(KEYS.memory, {slot.token: 1})  # its lease ended long ago
    acquired(alive)


def test_a_slot_that_another_has_meanwhile_is_revoked(
    make_limit: MakeLimit, client: redis.Redis
) -> None:
    slow, other = make_limit(memory_max_calls=1), make_limit(memory_max_calls=1)
    slot = acquired(slow)
    client.zrem(KEYS.memory, slot.token)
    acquired(other)
    slow.renew()
    assert slot.is_revoked
    slow.release(slot)
    assert client.zcard(KEYS.memory) == 1


def test_slots_survive_an_emptied_redis(make_limit: MakeLimit, client: redis.Redis) -> None:
    limit = make_limit()
    slot = acquired(limit)
    client.flushall()
    limit.renew()
    assert not slot.is_revoked
    assert client.zcard(KEYS.memory) == 1


def test_without_redis_each_process_has_the_limit_for_itself(
    make_limit: MakeLimit, make_settings: MakeSettings
) -> None:
    gone = connect_redis("redis://127.0.0.1:1/0")
    limit, other = make_limit(connection=gone), make_limit(connection=gone)
    first = acquired(limit)
    acquired(limit)
    assert limit.acquire(LIVE) == "limit"
    acquired(other)
    limit.renew()
    assert not first.is_revoked
    limit.release(first)
    acquired(limit)
    rounds = make_rounds(gone, make_settings(llm_model="any", llm_api_base=SERVER))
    with rounds.announce():
        rounds.renew()
    rounds.stop()


def test_the_stand_in_is_limited_by_nothing(make_limit: MakeLimit, client: redis.Redis) -> None:
    limit = make_limit(llm_api_base="", llm_model="offline/extractive", memory_max_calls=1)
    for _ in range(3):
        acquired(limit)
    assert client.keys("model:*") == []


def test_nothing_of_an_address_is_readable_in_redis(
    make_limit: MakeLimit, client: redis.Redis
) -> None:
    acquired(make_limit(llm_api_base="https://ada:secret@example.org/v1"))
    assert client.keys("model:*")
    assert not client.keys("*secret*")
