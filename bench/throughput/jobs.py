"""Jobs a second, and the CPU of a job: `python -m bench.throughput.jobs` (two minutes).

Starts the Procfile's `worker-llm` with 64 threads, once for each number of processes, on a
Postgres and a Redis of its own, and a model that answers after a second. For each kind, jobs are
claimed and sent, and timed from the first one begun to the last one finished. Ideal: every thread
waits for the model all the time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from bench.harness.model_server import running_model
from bench.harness.processes import cpu_s, main_thread_s
from bench.harness.report import Figure, print_load, publish
from bench.harness.site import wait_until
from shared.broker.sending import send_due
from shared.db import Row, execute, fetch_row, fetch_rows
from shared.derivations.claims import ROUND_KINDS, claim_due
from shared.models import ConversationId, Due, Kind, UserId
from shared.services import Services as Product
from shared.settings import read_settings
from supervisor.environment import process_environment
from tests.e2e.breakable import BreakableServices, breakable_services
from tests.e2e.site import Site
from tests.services import as_owner

THREADS = 64
LAST = 29
LIMIT_S = 300
FILLED_AT_ONCE = 500  # conversations
KINDS = ROUND_KINDS
PARTS = ("", ", main threads", ", Postgres and Redis", ", model")
FILL = """
    INSERT INTO users (user_id)
    SELECT %(block)s || number FROM generate_series(1, %(count)s) AS number;
    INSERT INTO conversations (user_id, agent, mode, last_sequence)
    SELECT %(block)s || number, 'general', 'active', %(last)s
    FROM generate_series(1, %(count)s) AS number;
    INSERT INTO messages (conversation_id, user_id, sequence_number, role, content, status,
                          user_turn)
    SELECT conversation_id, user_id, number,
           CASE number %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           CASE number %% 2
               WHEN 0 THEN CASE number WHEN 0 THEN 'I live in Oslo. ' ELSE '' END
                           || 'This is question ' || number || ' about tea: '
                           || 'which kinds of tea do people drink there in the winter?'
               ELSE 'There are three kinds of tea that people drink in the winter: black '
                    || 'tea, green tea and herbal tea. This is answer ' || number || '.' END,
           'complete', CASE number %% 2 WHEN 0 THEN 1 + number / 2 END
    FROM conversations, generate_series(0, %(last)s) AS number
    WHERE user_id LIKE %(block)s || '%%';
    DELETE FROM unembedded_messages;
"""
CONVERSATIONS = "SELECT user_id, conversation_id FROM conversations WHERE user_id LIKE %(like)s"
STATE = """
    SELECT count(*) AS jobs, count(*) FILTER (WHERE status = 'processing') AS left,
           count(*) FILTER (WHERE status = 'failed') AS failed,
           coalesce(extract(epoch FROM max(finished_at) - min(begun_at)), 0)::float AS taken_s
    FROM jobs JOIN conversations USING (conversation_id) WHERE user_id LIKE %(like)s
"""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The workers, and the processes that they use."""

    product: Product
    workers: Sequence[int]
    databases: Sequence[int]
    model: int

    def read_cpu_s(self) -> list[float]:
        """Of the workers, of their main threads alone, of the databases, and of the model."""
        return [
            cpu_s(*self.workers),
            sum(map(main_thread_s, self.workers)),
            cpu_s(*self.databases),
            cpu_s(self.model),
        ]


@dataclass(frozen=True, kw_only=True)
class Block:
    """What became of a block of jobs."""

    jobs: int
    failed: int
    jobs_per_s: float
    #: CPU milliseconds of a job: workers, their main threads, databases, model.
    cpu_ms: Sequence[float]


@click.command()
@click.option("--processes", default="1,2,4", show_default=True)
@click.option("--kinds", default=",".join(KINDS) + ",all", show_default=True)
@click.option("--seconds", default=8.0, show_default=True, help="Of a block, at ideal speed.")
@click.option("--latency", default=1.0, show_default=True, help="Of the model, in seconds.")
@click.option("--threads", default=THREADS, show_default=True, help="Of a process.")
def main(*, processes: str, kinds: str, seconds: float, latency: float, threads: int) -> None:
    print(f"{threads} threads a process, the model answers after {latency:g} s")
    print_load()
    figures: list[Figure] = []
    with breakable_services() as services, running_model(latency) as (url, model):
        for count in map(int, processes.split(",")):
            with running_workers(services, url, model, count, threads) as bench:
                measure(bench, "warm", KINDS, count * threads)
                ideal = count * threads / latency
                figures += measure_kinds(bench, kinds.split(","), ideal, seconds)
    publish("jobs", figures)


def measure_kinds(bench: Bench, names: Sequence[str], ideal: float, seconds: float) -> list[Figure]:
    figures: list[Figure] = []
    for name in names:
        kinds = [kind for kind in KINDS if name in (kind, "all")]
        block = measure(bench, name, kinds, round(ideal * seconds))
        print(f"  {name}: {block.jobs} jobs, {block.failed} failed", flush=True)
        figures += figures_of(f"{name}, {len(bench.workers)} processes", ideal, block)
    return figures


def figures_of(what: str, ideal: float, block: Block) -> list[Figure]:
    rate = Figure(
        name=f"jobs a second: {what}",
        value=block.jobs_per_s,
        unit="1/s",
        beside="ideal",
        beside_value=ideal,
    )
    costs = [
        Figure(name=f"CPU of a job{part}: {what}", value=ms, unit="ms")
        for part, ms in zip(PARTS, block.cpu_ms, strict=True)
    ]
    return [rate, *costs]


@contextmanager
def running_workers(
    services: BreakableServices, url: str, model: int, count: int, threads: int
) -> Iterator[Bench]:
    folder = Path(services.postgres.log).parent / "site"
    folder.mkdir(exist_ok=True)
    settings = {"LLM_MODEL": "slow-model", "LLM_API_BASE": url, "MEMORY_MAX_CALLS": "1000"}
    site = Site(
        process_environment(os.environ, services.environment | settings, may_download=False), folder
    )
    site.environment["WORKER_LLM_THREADS"] = str(threads)
    names = [f"worker-llm.{number}" for number in range(1, count + 1)]
    product = Product(
        read_settings(**{name.lower(): value for name, value in services.environment.items()})
    )
    print(f"{count} processes", flush=True)
    try:
        site.start(*names)
        for name in names:
            if not wait_until(lambda name=name: " ready." in site.log(name)(), 60):  # type: ignore[misc]
                raise SystemExit(site.log(name)())
        databases = [services.postgres.process, services.valkey.process]
        yield Bench(
            product=product,
            workers=[site.running[name].pid for name in names],
            databases=[process.pid for process in databases if process is not None],
            model=model,
        )
    finally:
        site.stop()
        product.close()


def measure(bench: Bench, name: str, kinds: Sequence[Kind], job_count: int) -> Block:
    block = f"{name}-{time.time_ns()}-"
    due = claim(bench.product, block, kinds, -(-job_count // len(kinds)))
    before = bench.read_cpu_s()
    send_due(bench.product.broker, due)
    if not wait_until(lambda: _state(bench, block)["left"] == 0, LIMIT_S, poll_s=0.3):
        raise SystemExit(f"jobs are left after {LIMIT_S} s: {_state(bench, block)}")
    time.sleep(0.5)  # what follows a job
    after, state = bench.read_cpu_s(), _state(bench, block)
    return Block(
        jobs=state["jobs"],
        failed=state["failed"],
        jobs_per_s=state["jobs"] / state["taken_s"],
        cpu_ms=[
            1000 * (end - begin) / state["jobs"] for begin, end in zip(before, after, strict=True)
        ],
    )


def claim(product: Product, block: str, kinds: Sequence[Kind], count: int) -> list[Due]:
    """Claim jobs in `count` new conversations, each of a user of its own."""
    for first in range(1, count + 1, FILLED_AT_ONCE):
        last = min(count, first + FILLED_AT_ONCE - 1)
        with as_owner(product) as connection:
            execute(connection, FILL, block=f"{block}{first}-", count=last - first + 1, last=LAST)
    with as_owner(product) as connection:
        rows = fetch_rows(connection, CONVERSATIONS, like=f"{block}%")
    due: list[Due] = []
    for row in rows:
        with product.database.transaction(user=UserId(row["user_id"])) as connection:
            conversation_id = ConversationId(str(row["conversation_id"]))
            due += claim_due(connection, conversation_id, LAST, product.settings, kinds)
    return due


def _state(bench: Bench, block: str) -> Row:
    with as_owner(bench.product) as connection:
        row = fetch_row(connection, STATE, like=f"{block}%")
    assert row is not None  # noqa: S101 - an aggregate
    return row


if __name__ == "__main__":
    main()
