"""Larger sites than this machine can run, simulated: `python -m bench.scaling_model` (a minute).

Reads what `bench.scaling` wrote. First it repeats that bench in simulated time, with the CPU that
one process needed there, and says how far it is from what more processes did. Then it sizes sites
of 1 to 10,000 rounds a second and runs them. Every run has the same seed.

Simulated are the queues for threads, processes and cores. Not simulated: caches that are outgrown,
networks, locks, an index that no longer fits into memory.
"""

from __future__ import annotations

import click

from bench.report import Figure, publish, read_published, results_folder
from bench.scaling_forecast import describe, figures_of, forecast
from bench.scaling_measured import Measured
from bench.scaling_replay import replay_jobs, replay_rounds

RATES = (1, 10, 100, 1_000, 10_000)  # rounds a second


@click.command()
@click.option("--threads", default=8, show_default=True, help="Of a worker in bench.scaling.")
@click.option("--latency", default=1.0, show_default=True, help="Of its model, in seconds.")
@click.option("--job-threads", default=64, show_default=True, help="Of a worker in a larger site.")
def main(*, threads: int, latency: float, job_threads: int) -> None:
    path = results_folder() / "scaling.json"
    if not path.exists():
        raise SystemExit(f"{path} is missing: run python -m bench.scaling before")
    measured = Measured(read_published(path))
    figures: list[Figure] = []
    for one in [*replay_jobs(measured, threads, latency), *replay_rounds(measured)]:
        print(f"{one.name}: {one.value:.1f}, {one.beside} {one.beside_value:.1f} "
              f"({(one.ratio or 0) - 1:+.0%})", flush=True)  # fmt: skip
        figures.append(one)
    for rate in RATES:
        found = forecast(measured, rate, latency, job_threads)
        print(describe(found), flush=True)
        figures += figures_of(found)
    publish("scaling_model", figures)


if __name__ == "__main__":
    main()
