"""A site of any size, sized by what was measured, and run in simulated time.

Each round has a user, whose rows and keys are in one shard: a Postgres and a Redis. A round is
computed by one web process, in two turns around the statements. Its vectors and its jobs follow.
Service takes exponential time, which is harsher than what was measured; the model's is constant.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import simpy

from bench.queues import Station, Steps, quantile, start
from bench.report import Figure
from bench.scaling_measured import Measured

USED = 0.6  # of each process and core, as sites are sized here
DATABASE_CORES = 32  # of the Postgres of a shard
USERS_A_RATE = 60  # users who talk, each a round a minute, for a round a second
ROUNDS = 20_000
LEAST_S = 6.0  # of simulated time: several calls of a model, one after the other


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Seconds of CPU that a round takes of each part."""

    web: float
    postgres: float
    redis: float
    embed: float
    #: Of one job in a worker-llm.
    job: float
    jobs: float
    model_s: float


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How many of each there are."""

    web: int
    embed: int
    llm: int
    job_threads: int
    shards: int


@dataclass(frozen=True, kw_only=True)
class Forecast:
    rate: float
    sizes: Sizes
    #: From the message to the end of the reply, without the model.
    site_p50_s: float
    site_p95_s: float
    #: From the reply to the end of its last job or vector.
    memory_p95_s: float
    #: Of the fullest shard, until the last message.
    database_used: float
    redis_used: float


def forecast(measured: Measured, rate: float, latency_s: float, job_threads: int) -> Forecast:
    costs = read_costs(measured, latency_s)
    return Simulation(costs, size_for(costs, rate, job_threads), rate).run()


def read_costs(measured: Measured, latency_s: float) -> Costs:
    """Of the smallest cases."""
    web, workers = measured.web_counts()[0], measured.worker_counts()[0]
    of_round = {
        name: measured.web(web, f"CPU of a round, {name}") / 1000
        for name in ("web", "postgres", "valkey", "worker-embed")
    }
    return Costs(
        web=of_round["web"],
        postgres=of_round["postgres"],
        redis=of_round["valkey"],
        embed=of_round["worker-embed"],
        job=measured.worker(workers, "CPU of a job, worker-llm") / 1000,
        jobs=measured.web(web, "jobs a round"),
        model_s=latency_s,
    )


def size_for(costs: Costs, rate: float, job_threads: int) -> Sizes:
    jobs = rate * costs.jobs
    return Sizes(
        web=math.ceil(rate * costs.web / USED),
        embed=math.ceil(rate * costs.embed / USED),
        llm=math.ceil(
            max(jobs * costs.job, jobs * (costs.model_s + costs.job) / job_threads) / USED
        ),
        job_threads=job_threads,
        shards=math.ceil(max(rate * costs.postgres / DATABASE_CORES, rate * costs.redis) / USED),
    )


class Simulation:
    def __init__(self, costs: Costs, sizes: Sizes, rate: float) -> None:
        self._costs, self._sizes, self._rate = costs, sizes, rate
        self._chance = random.Random(1)
        self._environment = environment = simpy.Environment()
        self._web = [Station(environment, 1) for _ in range(sizes.web)]
        self._databases = [Station(environment, DATABASE_CORES) for _ in range(sizes.shards)]
        self._redis = [Station(environment, 1) for _ in range(sizes.shards)]
        self._embed = Station(environment, sizes.embed)
        self._llm = [Station(environment, 1) for _ in range(sizes.llm)]
        self._threads = Station(environment, sizes.llm * sizes.job_threads)
        self._site_s: list[float] = []
        self._memory_s: list[float] = []
        self._database_used = self._redis_used = 0.0

    def run(self) -> Forecast:
        start(self._environment, self._arrive(max(ROUNDS, round(LEAST_S * self._rate))))
        self._environment.run()
        return Forecast(
            rate=self._rate,
            sizes=self._sizes,
            site_p50_s=quantile(self._site_s, 0.5),
            site_p95_s=quantile(self._site_s, 0.95),
            memory_p95_s=quantile(self._memory_s, 0.95),
            database_used=self._database_used,
            redis_used=self._redis_used,
        )

    def _arrive(self, rounds: int) -> Steps:
        users = math.ceil(USERS_A_RATE * self._rate)
        for _ in range(rounds):
            yield self._environment.timeout(self._chance.expovariate(self._rate))
            shard = self._chance.randrange(users) % self._sizes.shards
            start(self._environment, self._round(shard))
        self._database_used = max(one.used() for one in self._databases)
        self._redis_used = max(one.used() for one in self._redis)

    def _round(self, shard: int) -> Steps:
        began, costs = self._environment.now, self._costs
        web = self._chance.choice(self._web)
        yield from web.visit(self._draw(costs.web / 2))
        yield from self._databases[shard].visit(self._draw(costs.postgres))
        yield from self._redis[shard].visit(self._draw(costs.redis))
        yield from web.visit(self._draw(costs.web / 2))
        self._site_s.append(self._environment.now - began)
        start(self._environment, self._vectors())
        whole, part = divmod(costs.jobs, 1)
        for _ in range(int(whole) + (self._chance.random() < part)):
            start(self._environment, self._job())

    def _vectors(self) -> Steps:
        began = self._environment.now
        yield from self._embed.visit(self._draw(self._costs.embed))
        self._memory_s.append(self._environment.now - began)

    def _job(self) -> Steps:
        began = self._environment.now
        with self._threads.hold() as thread:
            yield thread
            process = self._chance.choice(self._llm)
            yield from process.visit(self._draw(self._costs.job))
            yield self._environment.timeout(self._costs.model_s)
        self._memory_s.append(self._environment.now - began)

    def _draw(self, mean_s: float) -> float:
        return self._chance.expovariate(1 / mean_s) if mean_s else 0.0


def describe(one: Forecast) -> str:
    return (
        f"{one.rate:,g} rounds a second: {one.sizes.web} web, {one.sizes.embed} worker-embed, "
        f"{one.sizes.llm} worker-llm, {one.sizes.shards} shards; the site's part of a reply "
        f"{1000 * one.site_p50_s:.0f} ms, p95 {1000 * one.site_p95_s:.0f}; memory done after "
        f"{one.memory_p95_s:.2f} s (p95)"
    )


def figures_of(one: Forecast) -> Iterator[Figure]:
    what = f"{one.rate:,g} rounds a second"
    counts = {
        "web processes": one.sizes.web,
        "worker-embed processes": one.sizes.embed,
        f"worker-llm of {one.sizes.job_threads} threads": one.sizes.llm,
        f"shards, a Postgres of {DATABASE_CORES} cores and a Redis": one.sizes.shards,
    }
    for name, count in counts.items():
        yield Figure(name=f"{what}: {name}", value=count, unit="")
    part = f"{what}: the site's part of a reply"
    yield Figure(name=f"{part}, p50", value=1000 * one.site_p50_s, unit="ms")
    yield Figure(name=f"{part}, p95", value=1000 * one.site_p95_s, unit="ms")
    yield Figure(name=f"{what}: memory is done after, p95", value=one.memory_p95_s, unit="s")
    yield Figure(name=f"{what}: fullest Postgres used", value=100 * one.database_used, unit="%")
    yield Figure(name=f"{what}: fullest Redis used", value=100 * one.redis_used, unit="%")
