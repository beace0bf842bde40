"""Workers that join and are killed under load, and a second host whose link is cut.

For `bench.scaling`. Nothing is lost if every job that was claimed is there once, completed, and
`throughline verify --quiet` finds no invariant broken.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.report import Figure
from bench.scaling_workers import SHORT_LEASES, Crew, running_crew
from bench.second_host import SecondHost, second_host
from bench.slow_model import running_slow_model
from shared.db import Row
from shared.models import Due
from tests.e2e.breakable import BreakableServices

THREADS = 8
LATENCY_S = 1.0
JOIN_S = 3.0
CUT_AFTER_S = 4.0
EMBED_S = 60


@dataclass(frozen=True, kw_only=True)
class Survived:
    """What became of a block of jobs."""

    name: str
    jobs: int
    taken_s: float
    #: Begun a second time, because their first worker was dead or out of reach.
    again: int
    #: Results that were not written, because another worker had the job by then.
    late: int
    #: Jobs that are not there once, completed.
    lost: int
    #: Of `throughline verify --quiet`.
    breaches: int
    #: From the kill or the heal to the last job.
    after_s: float
    #: From the heal until the second host alone has done a block of jobs.
    back_s: float | None = None


def join_and_kill(services: BreakableServices, jobs: int) -> Survived:
    """One worker works, a second and a third join, and the first is killed."""
    with (
        running_slow_model(LATENCY_S) as (url, _),
        running_crew(services, url, THREADS, **SHORT_LEASES) as crew,
    ):
        due = crew.claim("faults", jobs)
        crew.start("worker-llm.1")
        crew.site.start("beat")
        crew.send(due)
        time.sleep(JOIN_S)
        crew.start("worker-llm.2", "worker-llm.3")
        left = crew.state_of("faults")["left"]
        crew.site.kill("worker-llm.1")
        killed = time.monotonic()
        print(f"  two have joined, the first is killed; {left} of {len(due)} jobs left", flush=True)
        state = crew.wait("faults")
        after_s = time.monotonic() - killed
        return _report("workers joined and killed", crew, due, state, after_s)


def cut_the_link(services: BreakableServices, jobs: int, cut_s: float) -> Survived | None:
    """Half of the workers are on a second host. None: this machine imitates no hosts."""
    with second_host(services) as host:
        return None if host is None else _cut(services, host, jobs, cut_s)


def _cut(services: BreakableServices, host: SecondHost, jobs: int, cut_s: float) -> Survived:
    far_settings = {**SHORT_LEASES, **host.environment}
    with (
        running_slow_model(LATENCY_S) as (url, _),
        running_slow_model(LATENCY_S, host.inside) as (far_url, _),
        running_crew(services, url, THREADS, **SHORT_LEASES) as crew,
        running_crew(services, far_url, THREADS, host.inside, **far_settings) as far,
    ):
        due = crew.claim("hosts", jobs)
        last = crew.claim("back", THREADS)
        crew.start("worker-llm.1")
        far.start("worker-llm.2")
        crew.site.start("beat")
        crew.send(due)
        time.sleep(CUT_AFTER_S)
        left = crew.state_of("hosts")["left"]
        host.cut()
        time.sleep(cut_s)
        cut_left = crew.state_of("hosts")["left"]
        host.heal()
        healed = time.monotonic()
        print(f"  link cut with {left} of {len(due)} jobs left, healed with {cut_left}", flush=True)
        state = crew.wait("hosts")
        after_s = time.monotonic() - healed
        crew.site.kill("worker-llm.1", signal.SIGTERM)
        crew.send(last)
        crew.wait("back")
        back_s = time.monotonic() - healed
        run = _report("link cut and healed", crew, [*due, *last], state, after_s)
        return replace(run, back_s=back_s, late=run.late + far.count_logged("job.late"))


def _report(name: str, crew: Crew, due: Sequence[Due], state: Row, after_s: float) -> Survived:
    crew.site.start("worker-embed")  # so that the vectors are there, too
    return Survived(
        name=name,
        jobs=len(due),
        taken_s=state["taken_s"],
        again=state["again"],
        late=crew.count_logged("job.late"),
        lost=len(crew.list_undone(due)),
        breaches=len(verify(crew)),
        after_s=after_s,
    )


def verify(crew: Crew) -> list[object]:
    """What `throughline verify --quiet` finds broken, once the vectors are made."""
    command = [sys.executable, "-m", "throughline", "verify", "--quiet", "--json"]
    deadline = time.monotonic() + EMBED_S
    while True:
        done = subprocess.run(
            command, env=crew.site.environment, capture_output=True, text=True, check=False
        )
        breaches: list[object] = json.loads(done.stdout)["breaches"]
        if not breaches or time.monotonic() > deadline:
            return breaches
        time.sleep(2)


def show(run: Survived) -> None:
    back = "" if run.back_s is None else f", second host at work again after {run.back_s:.1f} s"
    print(
        f"  {run.name}: {run.jobs} jobs, begun again {run.again}, late results refused {run.late}, "
        f"lost {run.lost}, invariants broken {run.breaches}; done {run.after_s:.1f} s after{back}",
        flush=True,
    )


def figures_of(run: Survived) -> Iterator[Figure]:
    counts = {
        "jobs": run.jobs,
        "begun again": run.again,
        "late results refused": run.late,
        "not done exactly once": run.lost,
        "invariants broken": run.breaches,
    }
    for what, count in counts.items():
        yield Figure(name=f"{run.name}: {what}", value=count, unit="")
    yield Figure(name=f"{run.name}: until all jobs were done", value=run.after_s, unit="s")
    if run.back_s is not None:
        yield Figure(name=f"{run.name}: second host at work again", value=run.back_s, unit="s")
