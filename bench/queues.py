"""Queues for `bench.scaling_model`, in simulated time, and the formula that checks them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import simpy

Steps = Generator[simpy.Event, Any, None]


@dataclass
class Station:
    """Servers of one kind with one queue before them, first come first served."""

    environment: simpy.Environment
    servers: int
    #: Of all servers together, in simulated seconds.
    busy_s: float = 0.0
    waits_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._resource = simpy.PriorityResource(self.environment, self.servers)

    def visit(self, service_s: float, priority: int = 0) -> Steps:
        """Wait for a server, and keep it for so long. Lower numbers go first."""
        arrived = self.environment.now
        with self._resource.request(priority) as request:
            yield request
            self.waits_s.append(self.environment.now - arrived)
            yield self.environment.timeout(service_s)
        self.busy_s += service_s

    def hold(self) -> Any:
        """For `with`: a request for a server, which is kept until the end of the block."""
        return self._resource.request(0)

    def used(self) -> float:
        """The share of its servers' time that was used so far."""
        return self.busy_s / (self.servers * self.environment.now)


def simulate_waits(
    servers: int, arrivals_per_s: float, draw_service_s: Callable[[], float], customers: int
) -> list[float]:
    """The waits of an open queue: arrivals at random (Poisson), seed 1."""
    chance, environment = random.Random(1), simpy.Environment()
    station = Station(environment, servers)

    def arrive() -> Steps:
        for _ in range(customers):
            yield environment.timeout(chance.expovariate(arrivals_per_s))
            start(environment, station.visit(draw_service_s()))

    start(environment, arrive())
    environment.run()
    return station.waits_s


def mean_wait_mmc(servers: int, arrivals_per_s: float, service_s: float) -> float:
    """Erlang's C: the mean wait before servers whose service takes exponential time."""
    offered = arrivals_per_s * service_s
    each = [offered**n / math.factorial(n) for n in range(servers)]
    last = offered**servers / math.factorial(servers) * servers / (servers - offered)
    return last / (sum(each) + last) * service_s / (servers - offered)


def mean_wait_md1(arrivals_per_s: float, service_s: float) -> float:
    """Pollaczek and Khinchine: the mean wait before one server of one service time."""
    used = arrivals_per_s * service_s
    return used * service_s / (2 * (1 - used))


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def start(environment: simpy.Environment, steps: Steps) -> None:
    """Let a process begin now."""
    environment.process(steps)
