"""How the site scales: `python -m bench.scaling` (six minutes), or some `--parts` of it.

*jobs*: 1, 2, 4 and 8 `worker-llm` processes with a model that answers after a second. *rounds*: 1,
2 and 4 web processes. *faults*: workers join and are killed under load. *hosts*: half of the
workers are on a second host, whose link is cut and healed. Exit code 1 means that something was
lost or done twice.
"""

from __future__ import annotations

import os
import signal

import click

from bench import scaling_faults, scaling_jobs, scaling_rounds
from bench.report import Figure, publish, read_published, results_folder, write
from bench.scaling_faults import Survived
from bench.scaling_jobs import Load
from tests.e2e.breakable import breakable_services

PARTS = ("jobs", "rounds", "faults", "hosts")
COUNTED_JOBS = 40


@click.command()
@click.option("--parts", default=",".join(PARTS), show_default=True)
@click.option("--workers", default="1,2,4,8", show_default=True)
@click.option("--threads", default=8, show_default=True, help="Of a worker.")
@click.option("--latency", default=1.0, show_default=True, help="Of the model, in seconds.")
@click.option("--seconds", default=8.0, show_default=True, help="Of a block, at ideal speed.")
@click.option("--webs", default="1,2,4", show_default=True)
@click.option("--clients", default=16, show_default=True)
@click.option("--rounds", default=240, show_default=True)
@click.option("--jobs", default=200, show_default=True, help="Of each fault.")
@click.option("--cut", default=15.0, show_default=True, help="Seconds without a link.")
def main(  # noqa: PLR0913 - its options
    *,
    parts: str,
    workers: str,
    threads: int,
    latency: float,
    seconds: float,
    webs: str,
    clients: int,
    rounds: int,
    jobs: int,
    cut: float,
) -> None:
    signal.signal(signal.SIGTERM, _leave)  # of `timeout`: else its processes would stay
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    part_names = parts.split(",")
    if "jobs" in part_names:
        load = Load(threads=threads, latency_s=latency, seconds=seconds)
        write("scaling_jobs", scale_jobs([int(number) for number in workers.split(",")], load))
    if "rounds" in part_names:
        runs = scaling_rounds.measure_rounds(
            [int(number) for number in webs.split(",")], clients, rounds
        )
        write("scaling_rounds", scaling_rounds.figures_of(runs))
    survived = survive(part_names, jobs, cut)
    publish("scaling", read_parts())
    raise SystemExit(1 if any(run.lost or run.breaches for run in survived) else 0)


def read_parts() -> list[Figure]:
    """The newest figures of each part, also of one that was left out this time."""
    paths = [results_folder() / f"scaling_{part}.json" for part in PARTS]
    return [figure for path in paths if path.exists() for figure in read_published(path)]


def scale_jobs(workers: list[int], load: Load) -> list[Figure]:
    print(f"{load.threads} threads a worker, the model answers after {load.latency_s:g} s")
    with breakable_services() as services:
        figures = list(scaling_jobs.figures_of(scaling_jobs.measure_jobs(services, workers, load)))
        statements = scaling_jobs.count_statements(services, COUNTED_JOBS)
    print(f"  round trips to Postgres a job: {statements:.1f}", flush=True)
    return [*figures, Figure(name="round trips to Postgres a job", value=statements, unit="")]


def survive(part_names: list[str], jobs: int, cut_s: float) -> list[Survived]:
    """Each on databases of its own, so that `throughline verify` sees its rows alone."""
    runs: list[Survived] = []
    if "faults" in part_names:
        with breakable_services() as services:
            runs.append(scaling_faults.join_and_kill(services, jobs))
        scaling_faults.show(runs[-1])
        write("scaling_faults", scaling_faults.figures_of(runs[-1]))
    if "hosts" in part_names:
        with breakable_services() as services:
            run = scaling_faults.cut_the_link(services, jobs, cut_s)
        if run is None:
            print("  no second host: it needs root and iproute2, and leave to make a namespace")
        else:
            scaling_faults.show(run)
            write("scaling_hosts", scaling_faults.figures_of(run))
            runs.append(run)
    return runs


def _leave(*_: object) -> None:
    raise SystemExit("ended from outside")


if __name__ == "__main__":
    main()
