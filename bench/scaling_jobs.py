"""Jobs a second of 1, 2, 4, 8 worker-llm, and what a job costs each part: for `bench.scaling`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.cpu_time import cpu_s, total_s
from bench.memory import measure
from bench.report import Figure
from bench.scaling_counts import (
    count_clients,
    count_commands,
    count_connections,
    machine_busy_s,
    read_written,
)
from bench.scaling_workers import Crew, running_crew
from bench.slow_model import running_slow_model
from tests.e2e.breakable import BreakableServices
from tests.integration.wire import watched_postgres
from tests.services import private_folder

CORES = os.cpu_count() or 1
WARM_JOBS = 16  # of each process: each loads what it needs at its first jobs


@dataclass(frozen=True, kw_only=True)
class Load:
    """What is asked of a number of workers."""

    threads: int
    #: Seconds until the model answers.
    latency_s: float
    #: How long a block of jobs takes if every thread always waits for the model.
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Scaled:
    """A block of jobs. CPU is in milliseconds of a job."""

    processes: int
    jobs: int
    taken_s: float
    #: Jobs a second if every thread always waits for the model.
    ideal: float
    worker_ms: float
    databases_ms: float
    model_ms: float
    #: CPU seconds that were left to this bench, a second: the cores without what others used.
    cores_left: float
    transactions: float
    wal_bytes: float
    commands: float
    connections: int
    clients: int
    #: Memory of one worker-llm process.
    worker_mb: float

    @property
    def jobs_per_s(self) -> float:
        return self.jobs / self.taken_s

    @property
    def cpu_ms(self) -> float:
        """Of all parts but the model, which stands for another machine."""
        return self.worker_ms + self.databases_ms

    @property
    def possible(self) -> float:
        """The ideal, or what the CPU that was left allows, if that is less."""
        return min(self.ideal, 1000 * self.cores_left / (self.cpu_ms + self.model_ms))


def measure_jobs(services: BreakableServices, processes: Sequence[int], load: Load) -> list[Scaled]:
    runs = []
    with running_slow_model(load.latency_s) as (url, model):
        for count in processes:
            runs.append(_measure(services, url, model, count, load))
            show(runs[-1])
    return runs


def _measure(services: BreakableServices, url: str, model: int, count: int, load: Load) -> Scaled:
    ideal = count * load.threads / load.latency_s
    with running_crew(services, url, load.threads) as crew:
        warm = crew.claim(f"warm{count}", WARM_JOBS * count)
        due = crew.claim(f"scale{count}", round(ideal * load.seconds))
        crew.product.database.close()  # which counts its transactions
        before = read_written(crew.database)
        looks: list[tuple[int, int]] = []
        crew.start(*(f"worker-llm.{number}" for number in range(count)))
        crew.send(warm)
        crew.wait(f"warm{count}", lambda: looks.append((0, 0)))
        spent, busy, commands = _spent(crew, model), machine_busy_s(), _commands(crew)
        began = time.monotonic()
        crew.send(due)
        state = crew.wait(f"scale{count}", lambda: looks.append(_look(crew)))
        spent = [now - then for now, then in zip(_spent(crew, model), spent, strict=True)]
        busy, commands = machine_busy_s() - busy, _commands(crew) - commands
        others = max(0.0, busy - sum(spent)) / (time.monotonic() - began)
        memory_mb = [measure(pid).share_mb for pid in crew.pids("worker-llm")]
        crew.site.stop()
        writes = read_written(crew.database).since(before)
        if undone := crew.list_undone([*warm, *due]):
            raise SystemExit(f"not done exactly once: {undone}; {state}")
    all_jobs, jobs = len(warm) + len(due), len(due)
    return Scaled(
        processes=count,
        jobs=jobs,
        taken_s=state["taken_s"],
        ideal=ideal,
        worker_ms=1000 * spent[0] / jobs,
        databases_ms=1000 * spent[1] / jobs,
        model_ms=1000 * spent[2] / jobs,
        cores_left=CORES - others,
        transactions=(writes.transactions - 2 * len(looks)) / all_jobs,
        wal_bytes=writes.wal_bytes / all_jobs,
        commands=commands / jobs,
        connections=max(connections for connections, _ in looks),
        clients=max(clients for _, clients in looks),
        worker_mb=sum(memory_mb) / len(memory_mb),
    )


def _spent(crew: Crew, model: int) -> list[float]:
    """CPU seconds of workers, databases, model."""
    return [total_s(crew.pids("worker-llm")), total_s(crew.databases), cpu_s(model)]


def _commands(crew: Crew) -> int:
    return count_commands(crew.product.redis)


def _look(crew: Crew) -> tuple[int, int]:
    """Connections to Postgres and to Redis, without the bench's own."""
    return count_connections(crew.database), count_clients(crew.product.redis)


def count_statements(services: BreakableServices, jobs: int) -> float:
    """Messages with statements that reach Postgres for a job, one process at work."""
    with (
        private_folder() as folder,
        watched_postgres(services.environment["DATABASE_URL"], folder) as proxy,
        running_slow_model(0.1) as (url, _),
        running_crew(services, url, 8, DATABASE_URL=proxy.url) as crew,
    ):
        crew.start("worker-llm.1")
        for block in ("first", "counted"):
            due = crew.claim(block, jobs)
            proxy.queries.clear()
            crew.send(due)
            crew.wait(block)
        crew.site.stop()
        return len(proxy.queries) / len(due)


def show(run: Scaled) -> None:
    print(
        f"  {run.processes} worker-llm: {run.jobs} jobs, {run.jobs_per_s:.1f} a second, "
        f"ideal {run.ideal:g}, possible with the CPU left {run.possible:.1f}; CPU ms a job: "
        f"worker {run.worker_ms:.1f}, databases {run.databases_ms:.1f}, model {run.model_ms:.1f}; "
        f"{run.cores_left:.1f} cores left to it",
        flush=True,
    )


def figures_of(runs: Sequence[Scaled]) -> Iterator[Figure]:
    for run in runs:
        what = f"{run.processes} worker-llm"
        yield Figure(
            name=f"{what}: jobs a second",
            value=run.jobs_per_s,
            unit="1/s",
            beside="ideal",
            beside_value=run.ideal,
        )
        yield Figure(
            name=f"{what}: the same",
            value=run.jobs_per_s,
            unit="1/s",
            beside="possible with the CPU that was left",
            beside_value=run.possible,
        )
        yield Figure(name=f"{what}: CPU of a job, worker-llm", value=run.worker_ms, unit="ms")
        name = f"{what}: CPU of a job, Postgres and Redis"
        yield Figure(name=name, value=run.databases_ms, unit="ms")
        yield Figure(name=f"{what}: CPU of a job, model", value=run.model_ms, unit="ms")
        yield Figure(name=f"{what}: transactions a job", value=run.transactions, unit="")
        yield Figure(name=f"{what}: WAL a job", value=run.wal_bytes / 1000, unit="kB")
        yield Figure(name=f"{what}: Redis commands a job", value=run.commands, unit="")
        yield Figure(name=f"{what}: connections to Postgres", value=run.connections, unit="")
        yield Figure(name=f"{what}: connections to Redis", value=run.clients, unit="")
        yield Figure(name=f"{what}: memory of a process", value=run.worker_mb, unit="MB")
        yield Figure(name=f"{what}: jobs a second on a core", value=1000 / run.cpu_ms, unit="1/s")
        yield Figure(name=f"{what}: cores that were left", value=run.cores_left, unit="")
