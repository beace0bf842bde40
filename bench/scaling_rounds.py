"""Rounds a second of 1, 2, 4 web processes, and what a round costs each part: for `bench.scaling`.

The clients are users of their own. The model answers at once, and memory's jobs go to the
stand-in, so that the CPU measured is the site's.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench.memory import measure_started
from bench.model_server import running_model_server
from bench.report import Figure
from bench.rounds import MODEL, Speakers, ask_all, processor_ms, wait_for_jobs
from bench.scaling_counts import count_clients, count_commands, count_connections, machine_busy_s
from bench.supervised import Supervised, supervised
from shared.db import fetch_row
from shared.settings import STAND_IN_MODEL

CORES = os.cpu_count() or 1
WARM_ROUNDS = 48
ROUNDS_EACH = 12  # of a conversation, then a new one begins


@dataclass(frozen=True, kw_only=True)
class Scaled:
    """CPU in milliseconds of a round, memory in MB, by the name of the process."""

    processes: int
    clients: int
    rounds: int
    taken_s: float
    cpu_ms: dict[str, float]
    #: The part of it until the last reply. The rest is memory's work that was left then.
    live_cpu_ms: dict[str, float]
    held_mb: dict[str, float]
    #: CPU seconds that others left, a second, until the last reply. The clients count as others.
    cores_left: float
    commands: float
    #: That a round claims.
    jobs: float
    connections: int
    redis_clients: int

    @property
    def rounds_per_s(self) -> float:
        return self.rounds / self.taken_s

    @property
    def all_cpu_ms(self) -> float:
        return sum(self.cpu_ms.values())

    @property
    def possible(self) -> float:
        """Rounds a second if all of the CPU that was left went into rounds until their reply."""
        return 1000 * self.cores_left / sum(self.live_cpu_ms.values())


def make_clients(url: str, count: int) -> Speakers:
    """Each is a user, in one conversation after the other."""
    return Speakers(url, count, lambda number: f"client-{number}", ROUNDS_EACH)


def measure_rounds(processes: Sequence[int], clients: int, rounds: int) -> list[Scaled]:
    runs = []
    with running_model_server() as model:
        for count in processes:
            with running_site(model, count) as site:
                runs.append(_measure(site, count, clients, rounds))
            show(runs[-1])
    return runs


@contextmanager
def running_site(model: str, processes: int) -> Iterator[Supervised]:
    settings = {
        "LLM_MODEL": MODEL,
        "LLM_API_BASE": model,
        "LLM_API_KEY": "bench",
        "MEMORY_MODEL": STAND_IN_MODEL,
        "WEB_CONCURRENCY": str(processes),
    }
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        with supervised(Path(folder, "data"), **settings) as site:
            yield site


def _measure(site: Supervised, processes: int, clients: int, rounds: int) -> Scaled:
    httpx.get(f"{site.url}/healthz?warm", timeout=60)
    speakers = make_clients(site.url, clients)
    asyncio.run(ask_all(speakers.send, clients, WARM_ROUNDS * processes))
    wait_for_jobs(site)
    busy, commands, jobs = machine_busy_s(), count_commands(site.redis), count_jobs(site)
    before, began = processor_ms(site.data_dir), time.perf_counter()
    replies = asyncio.run(ask_all(speakers.send, clients, rounds))
    taken_s, live = time.perf_counter() - began, processor_ms(site.data_dir)
    others_s = machine_busy_s() - busy - sum(live[name] - before[name] for name in live) / 1000
    connections, redis_clients = count_connections(site.database), count_clients(site.redis)
    wait_for_jobs(site)
    after = processor_ms(site.data_dir)
    memory_mb = {
        name.split(".")[0]: process.share_mb
        for name, process in measure_started(site.data_dir).items()
    }
    return Scaled(
        processes=processes,
        clients=clients,
        rounds=len(replies),
        taken_s=taken_s,
        cpu_ms={name: (after[name] - before[name]) / len(replies) for name in sorted(after)},
        live_cpu_ms={name: (live[name] - before[name]) / len(replies) for name in sorted(live)},
        held_mb=memory_mb,
        cores_left=CORES - max(0.0, others_s) / taken_s,
        commands=(count_commands(site.redis) - commands) / len(replies),
        jobs=(count_jobs(site) - jobs) / len(replies),
        connections=connections,
        redis_clients=redis_clients,
    )


def count_jobs(site: Supervised) -> int:
    with site.database.transaction() as connection:
        row = fetch_row(connection, "SELECT count(*) AS n FROM jobs")
    return int(row["n"]) if row else 0


def show(run: Scaled) -> None:
    cpu = ", ".join(f"{name} {ms:.1f}" for name, ms in run.cpu_ms.items())
    print(
        f"  WEB_CONCURRENCY={run.processes}: {run.rounds} rounds, {run.rounds_per_s:.1f} a second, "
        f"possible with the CPU left {run.possible:.1f}; CPU ms a round: {cpu}; "
        f"{run.cores_left:.1f} cores left to it",
        flush=True,
    )


def figures_of(runs: Sequence[Scaled]) -> Iterator[Figure]:
    for run in runs:
        what = f"WEB_CONCURRENCY={run.processes}"
        yield Figure(
            name=f"{what}: rounds a second",
            value=run.rounds_per_s,
            unit="1/s",
            beside="possible with the CPU that was left",
            beside_value=run.possible,
        )
        yield Figure(name=f"{what}: clients", value=run.clients, unit="")
        yield Figure(name=f"{what}: jobs a round", value=run.jobs, unit="")
        for name, ms in run.cpu_ms.items():
            yield Figure(name=f"{what}: CPU of a round, {name}", value=ms, unit="ms")
        for name, ms in run.live_cpu_ms.items():
            what_for = f"{what}: CPU of a round until the last reply, {name}"
            yield Figure(name=what_for, value=ms, unit="ms")
        for name, mb in run.held_mb.items():
            yield Figure(name=f"{what}: memory, {name}", value=mb, unit="MB")
        yield Figure(name=f"{what}: Redis commands a round", value=run.commands, unit="")
        yield Figure(name=f"{what}: connections to Postgres", value=run.connections, unit="")
        yield Figure(name=f"{what}: connections to Redis", value=run.redis_clients, unit="")
        yield Figure(
            name=f"{what}: rounds a second on a core", value=1000 / run.all_cpu_ms, unit="1/s"
        )
        yield Figure(name=f"{what}: cores that were left", value=run.cores_left, unit="")
        in_all = sum(run.held_mb.values()) / 1000
        yield Figure(
            name=f"{what}: rounds a second for a GB", value=run.rounds_per_s / in_all, unit="1/s"
        )
