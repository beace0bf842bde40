"""Does memory grow? `python -m bench.day`: the rounds of a day on one site (ten minutes).

A hundred and sixty users, sixteen at a time, chat as fast as replies come, in conversations of
twenty rounds, with a model that answers at once. After every tenth of the rounds, when the jobs are
done, it prints how much memory each process holds. The figures are those at the end, beside those
after the first tenth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import click

from bench.harness.model_server import running_model
from bench.harness.processes import measure_shares
from bench.harness.report import Figure, publish
from bench.harness.site import BenchSite, model_settings, running_site
from bench.rounds.speakers import Speakers, ask_all
from shared.settings import STAND_IN_MODEL

CLIENTS = 16
PARTS = 10

Memory = Mapping[str, float]


@click.command()
@click.option("--rounds", default=10_000, show_default=True)
def main(*, rounds: int) -> None:
    with running_model() as (model, _):
        settings = model_settings(model) | {"MEMORY_MODEL": STAND_IN_MODEL}
        with running_site(settings) as site:
            measured = list(_talk(site, rounds))
    publish("day", _figures(measured[0], measured[-1], rounds))


def _talk(site: BenchSite, rounds: int) -> Iterator[Memory]:
    """MB of each process after each part of the rounds. Each part has users of its own."""
    for part in range(PARTS):
        speakers = Speakers(site.url, CLIENTS, partial(_user_of, part))
        ask_all(speakers.send, CLIENTS, rounds // PARTS)
        site.wait_for_jobs()
        memory = measure_shares(site.data_dir)
        done = (part + 1) * (rounds // PARTS)
        print(f"{done:>7} rounds:", ", ".join(f"{name} {mb:.0f} MB" for name, mb in memory.items()),
              flush=True)  # fmt: skip
        yield memory


def _user_of(part: int, client: int) -> str:
    return f"user-{part}-{client}"


def _figures(first: Memory, last: Memory, rounds: int) -> Iterator[Figure]:
    for name, mb in last.items():
        yield Figure(
            name=f"memory of {name} after {rounds:,} rounds",
            value=mb,
            unit="MB",
            beside=f"after {rounds // PARTS:,}",
            beside_value=first[name],
        )


if __name__ == "__main__":
    main()
