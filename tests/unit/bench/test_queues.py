"""The simulation of `bench.scaling_model` gives what theory says, within a stated error."""

from __future__ import annotations

import random
import statistics

import pytest
import simpy

from bench.queues import Station, mean_wait_md1, mean_wait_mmc, simulate_waits, start

CUSTOMERS = 25_000
ERROR = 0.08  # of the mean wait
SERVICE_S = 0.1


@pytest.mark.parametrize(("servers", "used"), [(1, 0.5), (4, 0.7), (16, 0.8)])
def test_exponential_service_waits_as_erlang_says(servers: int, used: float) -> None:
    rate, chance = used * servers / SERVICE_S, random.Random(2)  # noqa: S311
    waits = simulate_waits(servers, rate, lambda: chance.expovariate(1 / SERVICE_S), CUSTOMERS)
    expected = mean_wait_mmc(servers, rate, SERVICE_S)
    assert statistics.fmean(waits) == pytest.approx(expected, rel=ERROR)


def test_service_of_one_length_waits_as_pollaczek_and_khinchine_say() -> None:
    rate = 0.6 / SERVICE_S
    waits = simulate_waits(1, rate, lambda: SERVICE_S, CUSTOMERS)
    assert statistics.fmean(waits) == pytest.approx(mean_wait_md1(rate, SERVICE_S), rel=ERROR)


def test_erlangs_formula_for_one_server_is_the_known_one() -> None:
    assert mean_wait_mmc(1, 5, SERVICE_S) == pytest.approx(0.5 * SERVICE_S / 0.5)


def test_the_same_seed_gives_the_same_waits() -> None:
    assert simulate_waits(2, 15, lambda: 0.1, 500) == simulate_waits(2, 15, lambda: 0.1, 500)


def test_a_station_counts_what_its_servers_did() -> None:
    environment = simpy.Environment()
    station = Station(environment, 2)
    for _ in range(3):
        start(environment, station.visit(1.0))
    environment.run()
    assert (environment.now, station.used(), station.waits_s) == (2.0, 0.75, [0, 0, 1.0])
