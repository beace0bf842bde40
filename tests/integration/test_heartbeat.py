"""The heartbeat: nothing ends it for good."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from shared.db import Database, PgConnection
from shared.heartbeat import LeaseKeeper
from shared.models import Leased
from tests.threads import no_threads
from tests.waiting import wait_for

LEASE_S = 0.15  # a beat every 50 ms


class Renewals:
    """Counts the beats of each table. The first ones fail with an error that nobody foresaw."""

    def __init__(self) -> None:
        self.beats: Counter[Leased] = Counter()
        self.fail_first: Counter[Leased] = Counter()

    def renew(
        self, _: PgConnection, leased: Leased, fencing_tokens: list[int], lease_s: float
    ) -> set[int]:
        self.beats[leased] += 1
        if self.beats[leased] <= self.fail_first[leased]:
            raise LookupError("not foreseen")
        return set(fencing_tokens)

    def reach(self, leased: Leased, beats: int) -> Callable[[], bool]:
        return lambda: self.beats[leased] >= beats


@pytest.fixture
def renewals() -> Renewals:
    return Renewals()


@pytest.fixture
def keeper(database_url: str, renewals: Renewals) -> Iterator[LeaseKeeper]:
    database = Database(database_url, pool_size=2)
    keeper = LeaseKeeper(database, LEASE_S, renewals.renew)
    yield keeper
    keeper.stop()
    database.close()


def test_the_heartbeat_held_after_an_error_that_nobody_foresaw(
    keeper: LeaseKeeper, renewals: Renewals
) -> None:
    renewals.fail_first["reply"] = 2
    with keeper.keep_renewed("reply", 1):
        wait_for(renewals.reach("reply", 4))


def test_an_error_in_one_table_does_not_cost_the_leases_of_another(
    keeper: LeaseKeeper, renewals: Renewals
) -> None:
    renewals.fail_first["reply"] = 10**9
    with keeper.keep_renewed("reply", 1), keeper.keep_renewed("summary", 2):
        wait_for(renewals.reach("reply", 2))
        wait_for(renewals.reach("summary", 2))


def test_a_heartbeat_that_could_not_start_is_started_by_the_next_lease(
    keeper: LeaseKeeper, renewals: Renewals
) -> None:
    before = set(threading.enumerate())  # some are of earlier tests, and about to end
    with no_threads(), keeper.keep_renewed("reply", 1):
        new = set(threading.enumerate()) - before
        assert "leases" not in {thread.name for thread in new}
    with keeper.keep_renewed("summary", 2):
        wait_for(renewals.reach("summary", 2))
