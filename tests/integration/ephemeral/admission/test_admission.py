"""Memory's places at a model, and the rounds that go before, as several processes see them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
import redis

from shared.ephemeral.admission import Job, MemoryCalls, Place, WaitingRounds
from shared.ephemeral.admission.leases import Keys
from shared.ephemeral.client import connect_redis
from shared.llm import server_of
from shared.settings import Settings
from tests.services import MakeSettings

SERVER = "http://127.0.0.1:9/v1"
KEYS = Keys.of(SERVER)
LIVE = Job(kind="summary", job_id=1, in_backlog=False, age_s=0)
OLD = Job(kind="facts", job_id=2, in_backlog=False, age_s=10_000)
BACKLOG = Job(kind="facts", job_id=3, in_backlog=True, age_s=10_000)

MakeCalls = Callable[..., MemoryCalls]


@pytest.fixture
def client(redis_url: str) -> redis.Redis:
    return connect_redis(redis_url)


@pytest.fixture
def make_calls(client: redis.Redis, make_settings: MakeSettings) -> Iterator[MakeCalls]:
    """One process' view, at a model of the server unless told otherwise."""
    made: list[MemoryCalls] = []

    def make(*, connection: redis.Redis = client, **overrides: object) -> MemoryCalls:
        own = {"llm_model": "any", "llm_api_base": SERVER, "memory_max_calls": 2}
        settings = make_settings(**(own | overrides))
        server = server_of(settings.effective_memory_model, settings)
        made.append(MemoryCalls(connection, server, settings))
        return made[-1]

    yield make
    for calls in made:
        calls.stop()


def make_rounds(client: redis.Redis, settings: Settings) -> WaitingRounds:
    return WaitingRounds(client, server_of(settings.llm_model, settings))


@pytest.fixture
def rounds(client: redis.Redis, make_settings: MakeSettings) -> Iterator[WaitingRounds]:
    made = make_rounds(client, make_settings(llm_model="any", llm_api_base=SERVER))
    yield made
    made.stop()


def taken(calls: MemoryCalls, job: Job = LIVE) -> Place:
    place = calls.take(job)
    assert isinstance(place, Place), place
    return place


def test_the_limit_holds_over_all_processes(make_calls: MakeCalls) -> None:
    one, other = make_calls(), make_calls()
    first = taken(one)
    taken(other)
    assert one.take(LIVE) == "limit"
    assert other.take(LIVE) == "limit"
    with first:
        pass
    taken(other)


def test_there_are_never_more_calls_than_places(make_calls: MakeCalls) -> None:
    lock, at_once, most = threading.Lock(), 0, 0

    def work(calls: MemoryCalls) -> None:
        nonlocal at_once, most
        for _ in range(40):
            place = calls.take(LIVE)
            if not isinstance(place, Place):
                continue
            with place:
                with lock:
                    at_once += 1
                    most = max(most, at_once)
                with lock:
                    at_once -= 1

    processes = [make_calls(memory_max_calls=3) for _ in range(2)]
    threads = [threading.Thread(target=work, args=(processes[n % 2],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= most <= 3


def test_memory_waits_while_a_round_waits_and_not_while_it_is_written(
    make_calls: MakeCalls, rounds: WaitingRounds
) -> None:
    calls, words = make_calls(), []
    with rounds.announce(lambda: not words):
        assert calls.take(LIVE) == "rounds"
        words.append("Hello")
        rounds.beat()
        with taken(calls):
            pass


def test_a_round_that_ends_without_a_word_waits_no_more(
    make_calls: MakeCalls, rounds: WaitingRounds
) -> None:
    with pytest.raises(LookupError), rounds.announce(lambda: True):
        raise LookupError
    taken(make_calls())


def test_rounds_at_another_model_are_none_of_its_business(
    make_calls: MakeCalls, rounds: WaitingRounds
) -> None:
    with rounds.announce(lambda: True):
        taken(make_calls(llm_api_base="", llm_model="gpt-4o"))
        assert make_calls(memory_model="another of that server").take(LIVE) == "rounds"


def test_what_was_said_just_now_does_not_wait_for_ever(
    make_calls: MakeCalls, rounds: WaitingRounds
) -> None:
    calls = make_calls(memory_max_calls=1)
    with rounds.announce(lambda: True):
        assert calls.take(BACKLOG) == "rounds"
        place = taken(calls, OLD)
        calls.beat()
        assert not place.is_revoked
        assert calls.take(OLD) == "limit"


def test_the_backlog_waits_behind_a_live_job(make_calls: MakeCalls) -> None:
    one, other = make_calls(memory_max_calls=1), make_calls(memory_max_calls=1)
    with taken(one, BACKLOG):
        assert one.take(LIVE) == "limit"
    assert other.take(BACKLOG) == "behind"
    with taken(one):
        pass
    taken(other, BACKLOG)


def test_a_call_that_stands_in_the_way_of_a_round_is_revoked_at_ones_own_server_only(
    make_calls: MakeCalls, rounds: WaitingRounds, client: redis.Redis, make_settings: MakeSettings
) -> None:
    hosted_rounds = make_rounds(client, make_settings(llm_model="gpt-4o"))
    own, hosted = make_calls(), make_calls(llm_api_base="", llm_model="gpt-4o")
    at_own, at_hosted = taken(own), taken(hosted)
    own.beat()
    assert not at_own.is_revoked
    with rounds.announce(lambda: True), hosted_rounds.announce(lambda: True):
        own.beat()
        hosted.beat()
    hosted_rounds.stop()
    assert (at_own.is_revoked, at_hosted.is_revoked) == (True, False)


def test_what_a_dead_process_held_is_free_when_its_lease_is_over(
    make_calls: MakeCalls, client: redis.Redis
) -> None:
    dead, alive = make_calls(memory_max_calls=1), make_calls(memory_max_calls=1)
    place = taken(dead)
    dead.stop()
    assert alive.take(LIVE) == "limit"
    client.zadd(KEYS.rounds, {"of a dead process": 1})
    client.zadd(KEYS.memory, {place.token: 1})  # its lease ended long ago
    taken(alive)


def test_a_place_that_another_has_meanwhile_is_revoked(
    make_calls: MakeCalls, client: redis.Redis
) -> None:
    slow, other = make_calls(memory_max_calls=1), make_calls(memory_max_calls=1)
    place = taken(slow)
    client.zrem(KEYS.memory, place.token)
    taken(other)
    slow.beat()
    assert place.is_revoked
    slow.leave(place)
    assert client.zcard(KEYS.memory) == 1


def test_places_survive_an_emptied_redis(make_calls: MakeCalls, client: redis.Redis) -> None:
    calls = make_calls()
    place = taken(calls)
    client.flushall()
    calls.beat()
    assert not place.is_revoked
    assert client.zcard(KEYS.memory) == 1


def test_without_redis_each_process_has_the_limit_for_itself(
    make_calls: MakeCalls, make_settings: MakeSettings
) -> None:
    gone = connect_redis("redis://127.0.0.1:1/0")
    one, other = make_calls(connection=gone), make_calls(connection=gone)
    first = taken(one)
    taken(one)
    assert one.take(LIVE) == "limit"
    taken(other)
    one.beat()
    assert not first.is_revoked
    one.leave(first)
    taken(one)
    rounds = make_rounds(gone, make_settings(llm_model="any", llm_api_base=SERVER))
    with rounds.announce(lambda: True):
        rounds.beat()
    rounds.stop()


def test_the_stand_in_is_limited_by_nothing(make_calls: MakeCalls, client: redis.Redis) -> None:
    calls = make_calls(llm_api_base="", llm_model="offline/extractive", memory_max_calls=1)
    for _ in range(3):
        taken(calls)
    assert client.keys("model:*") == []


def test_nothing_of_an_address_is_readable_in_redis(
    make_calls: MakeCalls, client: redis.Redis
) -> None:
    taken(make_calls(llm_api_base="https://ada:secret@example.org/v1"))
    assert client.keys("model:*")
    assert not client.keys("*secret*")
