"""What a round costs: `python -m bench.rounds`, or `--keep FOLDER` for several runs on one site.

A whole site remembers `--messages` messages of one user. Clients (1, 8 and 50 at once) send
messages and read the streams of the replies, in turn with the same clients asking the model's own
server, which answers at once. Printed are the milliseconds that the site adds to the first token
and to the whole reply, and the processor time of each of its processes per round.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import httpx

from bench.harness.model_server import running_model
from bench.harness.processes import cpu_s, list_pids
from bench.harness.report import Figure, publish
from bench.harness.site import USER_HEADER, BenchSite, model_settings, running_site
from bench.rounds.speakers import REPLY_S, Reply, Speakers, ask_all, ask_model, make_message
from shared.db import fetch_rows
from shared.models import UserId
from shared.settings import STAND_IN_MODEL

USER = UserId("rounds")
PER_CONVERSATION = 40
IMPORT_S = 400.0
BLOCKS = 4  # of each, in turn
WARM_ROUNDS = 30
ROUNDS = {1: 120, 8: 240, 50: 200}  # by the number of clients; of 50, each sends one in a block


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a number of clients have seen, and what it has cost."""

    clients: int
    rounds: int
    floor_first_p50_ms: float
    #: What the site adds, such as "first token, p50".
    added_ms: dict[str, float]
    rounds_per_s: float
    #: Processor time a round, by the name of the process.
    processor_ms: dict[str, float]
    #: The medians of what the replies' traces say of their steps.
    steps_ms: dict[str, float]


@click.command()
@click.option("--messages", default=3000, show_default=True)
@click.option("--clients", multiple=True, type=int, default=tuple(ROUNDS), show_default=True)
@click.option("--rounds", type=int, help="Of each number of clients.")
@click.option("--processes", default=1, show_default=True, help="WEB_CONCURRENCY.")
@click.option("--keep", type=click.Path(path_type=Path), help="The site's folder, for more runs.")
def main(
    *,
    messages: int,
    clients: Sequence[int],
    rounds: int | None,
    processes: int,
    keep: Path | None,
) -> None:
    with running_model() as (model, _):
        settings = model_settings(model) | {
            "MEMORY_MODEL": STAND_IN_MODEL,
            "WEB_CONCURRENCY": str(processes),
            "MAX_LIVE_ROUNDS": "240",  # all clients are one user, who may have a quarter
        }
        with running_site(settings, keep) as site:
            remember(site, messages)
            runs = [measure(site, model, each, rounds or ROUNDS.get(each, 240)) for each in clients]
    publish("rounds", [figure for run in runs for figure in figures_of(run)])


def remember(site: BenchSite, count: int) -> None:
    """Import messages, unless they are there, and wait for their vectors and the jobs."""
    httpx.get(f"{site.url}/healthz?warm", timeout=REPLY_S)
    headers = {USER_HEADER: USER, "Content-Type": "application/json"}
    chance = random.Random(1)
    past = [
        {
            "id": f"past-{number}",
            "messages": [
                {"role": ("user", "assistant")[each % 2], "content": make_message(chance)}
                for each in range(PER_CONVERSATION)
            ],
        }
        for number in range(count // PER_CONVERSATION)
    ]
    httpx.post(f"{site.url}/api/v1/imports", json=past, headers=headers, timeout=IMPORT_S)
    site.wait_for_jobs()


def measure(site: BenchSite, model: str, clients: int, rounds: int) -> Measured:
    """The floor and the site take turns."""
    speakers = Speakers(site.url, clients, lambda _: USER)
    ask_all(speakers.send, clients, WARM_ROUNDS)
    site.wait_for_jobs()
    floor: list[Reply] = []
    ours: list[Reply] = []
    seconds = web_ms = 0.0
    before = processor_ms(site.data_dir)
    for _ in range(BLOCKS):
        floor += ask_all(ask_model(model), clients, rounds // BLOCKS)
        web_before, began = processor_ms(site.data_dir)["web"], time.perf_counter()
        ours += ask_all(speakers.send, clients, rounds // BLOCKS)
        seconds += time.perf_counter() - began
        web_ms += processor_ms(site.data_dir)["web"] - web_before
    site.wait_for_jobs()
    after = processor_ms(site.data_dir)
    spent = {name: (after[name] - before[name]) / len(ours) for name in sorted(after)}
    bare_first = statistics.median(reply.first_ms for reply in floor)
    bare_whole = statistics.median(reply.whole_ms for reply in floor)
    firsts = sorted(reply.first_ms - bare_first for reply in ours)
    wholes = sorted(reply.whole_ms - bare_whole for reply in ours)
    measured = Measured(
        clients=clients,
        rounds=len(ours),
        floor_first_p50_ms=round(bare_first, 1),
        added_ms={
            "first token, p50": round(statistics.median(firsts), 1),
            "first token, p95": round(firsts[int(len(firsts) * 0.95)], 1),
            "whole reply, p50": round(statistics.median(wholes), 1),
            "whole reply, p95": round(wholes[int(len(wholes) * 0.95)], 1),
        },
        rounds_per_s=round(len(ours) / seconds, 1),
        processor_ms={
            name: round(ms, 1) for name, ms in (spent | {"web": web_ms / len(ours)}).items()
        },
        steps_ms=read_steps(site, len(ours)),
    )
    show(measured)
    return measured


def processor_ms(data_dir: Path) -> dict[str, float]:
    """Processor time so far, by the name of the process, with all its children."""
    return {name.split(".")[0]: 1000 * cpu_s(pid) for name, pid in list_pids(data_dir).items()}


def figures_of(run: Measured) -> Iterator[Figure]:
    floor, floor_ms = "the model's server by httpx", run.floor_first_p50_ms
    for what, ms in run.added_ms.items():
        name = f"{run.clients} at once: added to the {what}"
        yield Figure(name=name, value=ms, unit="ms", beside=floor, beside_value=floor_ms)
    for process, ms in run.processor_ms.items():
        yield Figure(name=f"{run.clients} at once: CPU of {process} a round", value=ms, unit="ms")


def read_steps(site: BenchSite, count: int) -> dict[str, float]:
    with site.database.transaction(user=USER) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT key, percentile_cont(0.5) WITHIN GROUP (ORDER BY value::float8) AS ms
            FROM (SELECT trace -> 'steps_ms' AS steps FROM messages
                  WHERE role = 'assistant' AND trace ? 'steps_ms'
                  ORDER BY created_at DESC LIMIT %(count)s) AS newest,
                 jsonb_each_text(steps)
            GROUP BY key ORDER BY key
            """,
            count=count,
        )
    return {row["key"]: round(row["ms"], 1) for row in rows}


def show(run: Measured) -> None:
    first_p50, first_p95, whole_p50, whole_p95 = run.added_ms.values()
    print(f"\n{run.clients} at once, {run.rounds} rounds, {run.rounds_per_s:.1f} a second")
    print(f"  first token: the model's server {run.floor_first_p50_ms} ms, added "
          f"p50 {first_p50} ms, p95 {first_p95} ms")  # fmt: skip
    print(f"  whole reply: added p50 {whole_p50} ms, p95 {whole_p95} ms")
    print("  processor time a round, ms:", _line(run.processor_ms))
    print("  steps, ms:", _line(run.steps_ms), flush=True)


def _line(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


if __name__ == "__main__":
    main()
