"""The heartbeat: nothing ends it for good."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from shared.db import Database, PgConnection
from shared.heartbeat import LeaseKeeper
from tests.threads import no_threads
from tests.waiting import wait_for

LEASE_S = 0.15  # a beat every 50 ms


@pytest.fixture
def keeper(database_url: str) -> Iterator[LeaseKeeper]:
    database = Database(database_url, pool_size=2)
    keeper = LeaseKeeper(database, LEASE_S)
    yield keeper
    keeper.stop()
    database.close()


class Renewal:
    """Counts its beats; the first ones fail with an error that nobody foresaw."""

    def __init__(self, fail_first: int = 0) -> None:
        self.beats = 0
        self._fail_first = fail_first

    def __call__(self, _: PgConnection, tokens: list[int], lease_s: float) -> set[int]:
        self.beats += 1
        if self.beats <= self._fail_first:
            raise LookupError("not foreseen")
        return set(tokens)

    def reaches(self, beats: int) -> Callable[[], bool]:
        return lambda: self.beats >= beats


def test_the_heartbeat_goes_on_after_an_error_that_nobody_foresaw(keeper: LeaseKeeper) -> None:
    renewal = Renewal(fail_first=2)
    with keeper.hold(1, renewal):
        wait_for(renewal.reaches(4), 10)


def test_an_error_in_one_table_does_not_cost_the_leases_of_another(keeper: LeaseKeeper) -> None:
    broken, sound = Renewal(fail_first=10**9), Renewal()
    with keeper.hold(1, broken), keeper.hold(2, sound):
        wait_for(broken.reaches(2), 10)
        wait_for(sound.reaches(2), 10)


def test_a_heartbeat_that_could_not_start_is_started_by_the_next_lease(keeper: LeaseKeeper) -> None:
    unborn, renewal = Renewal(), Renewal()
    with no_threads(), keeper.hold(1, unborn):
        assert "leases" not in {thread.name for thread in threading.enumerate()}
    with keeper.hold(2, renewal):
        wait_for(renewal.reaches(2), 10)
