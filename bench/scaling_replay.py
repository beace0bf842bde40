"""`bench.scaling` in simulated time: what its smallest case cost, run with more processes.

Taken from the bench are the CPU of the smallest case, and the most cores that other work left to
any case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import simpy

from bench.queues import Station, Steps, start
from bench.report import Figure
from bench.scaling_measured import Measured

SLICES = 4  # turns in which a piece of work gets its CPU
ROUNDS = 2_000
BLOCK_S = 20.0  # of jobs, at ideal speed


class Machine:
    """Cores that all share, and Python processes that each use one core at a time."""

    def __init__(self, cores_left: float, processes: int) -> None:
        self.environment = simpy.Environment()
        whole = math.ceil(cores_left)
        self._slower = whole / cores_left
        self._cores = Station(self.environment, whole)
        self._processes = [Station(self.environment, 1) for _ in range(processes)]

    def compute(self, seconds: float) -> Steps:
        yield from self._cores.visit(seconds * self._slower)

    def compute_in(self, process: int, seconds: float) -> Steps:
        """In a process that computes one thing at a time."""
        with self._processes[process].hold() as turn:
            yield turn
            yield from self.compute(seconds)


def replay_jobs(measured: Measured, threads: int, latency_s: float) -> Iterator[Figure]:
    counts = measured.worker_counts()
    parts = ("worker-llm", "Postgres and Redis", "model")
    worker, databases, model = (
        measured.worker(counts[0], f"CPU of a job, {part}") / 1000 for part in parts
    )
    cores = max(measured.worker(count, "cores that were left") for count in counts)
    for count in counts:
        machine = Machine(cores, count)
        jobs = round(BLOCK_S * count * threads / latency_s)
        free = simpy.Store(machine.environment)
        free.items = [process for process in range(count) for _ in range(threads)]

        def work(machine: Machine = machine, free: simpy.Store = free) -> Steps:
            process = yield free.get()
            for _ in range(SLICES // 2):
                yield from machine.compute_in(process, worker / SLICES)
                yield from machine.compute(databases / SLICES)
            yield from machine.compute(model)
            yield machine.environment.timeout(latency_s)
            for _ in range(SLICES // 2):
                yield from machine.compute_in(process, worker / SLICES)
                yield from machine.compute(databases / SLICES)
            yield free.put(process)

        for _ in range(jobs):
            start(machine.environment, work())
        machine.environment.run()
        yield Figure(
            name=f"{count} worker-llm: jobs a second, simulated",
            value=jobs / machine.environment.now,
            unit="1/s",
            beside="measured",
            beside_value=measured.worker(count, "jobs a second"),
        )


def replay_rounds(measured: Measured) -> Iterator[Figure]:
    counts = measured.web_counts()
    live = {
        name: measured.web(counts[0], f"CPU of a round until the last reply, {name}") / 1000
        for name in ("web", "postgres", "valkey", "worker-embed", "worker-llm")
    }
    clients = round(measured.web(counts[0], "clients"))
    cores = max(measured.web(count, "cores that were left") for count in counts)
    for count in counts:
        machine = Machine(cores, count)

        def remember(machine: Machine = machine) -> Steps:
            """What workers do of a round before the last reply."""
            for name in ("worker-embed", "worker-llm"):
                for _ in range(SLICES):
                    yield from machine.compute(live[name] / SLICES)

        def talk(process: int, machine: Machine = machine) -> Steps:
            for _ in range(ROUNDS // clients):
                for _ in range(SLICES):
                    yield from machine.compute_in(process, live["web"] / SLICES)
                    yield from machine.compute((live["postgres"] + live["valkey"]) / SLICES)
                start(machine.environment, remember())

        for client in range(clients):
            start(machine.environment, talk(client % count))
        machine.environment.run()
        yield Figure(
            name=f"WEB_CONCURRENCY={count}: rounds a second, simulated",
            value=ROUNDS // clients * clients / machine.environment.now,
            unit="1/s",
            beside="measured",
            beside_value=measured.web(count, "rounds a second"),
        )
