"""What a round costs: `python -m bench.rounds`, or `--keep FOLDER` for several runs on one site.

A whole site remembers `--messages` messages of one user. Clients (1, 8 and 50 at once) send
messages and read the streams of the replies, in turn with the same clients asking the model's own
server, which answers at once. Printed are the milliseconds that the site adds to the first token
and to the whole reply, and the processor time of each of its processes per round.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click
import httpx

from bench.model_server import running_model_server
from bench.report import Figure, publish
from bench.site import wait_until
from bench.supervised import USER_HEADER, Supervised, supervised
from bench.tree_cpu import TreeCpu
from shared.db import fetch_rows
from shared.maintenance.verify import find_breaches
from shared.models import UserId
from shared.settings import STAND_IN_MODEL, read_settings
from supervisor.pid_files import PidFiles

USER = UserId("rounds")
PER_CONVERSATION = 40
QUIET_S = 400.0
REPLY_S = 60.0
MODEL = "bench-model"
ROUNDS_EACH = 20  # of a conversation, then a new one begins
BLOCKS = 4  # of each, in turn
WARM_ROUNDS = 30
ROUNDS = {1: 120, 8: 240, 50: 200}  # by the number of clients; of 50, each sends one in a block
WHO = ("my brother", "my sister", "our neighbour", "Anna", "Karl", "my boss", "the doctor", "I")
DID = ("bought", "lost", "repaired", "painted", "looked for", "talked about", "sold", "borrowed")
WHAT = ("a bicycle", "the garden fence", "an old camera", "two tickets", "a wooden boat", "a lamp",
        "the kitchen table", "a map of Norway", "a guitar", "a red coat")  # fmt: skip
WHERE = ("in Berlin", "near the lake", "at the market", "in the cellar", "by the station",
         "at school", "in Oslo", "behind the house", "on the island", "at work")  # fmt: skip
WHEN = ("yesterday", "last summer", "on Monday", "this morning", "two years ago", "in May")
Ask = Callable[[httpx.AsyncClient, int, str], Awaitable["Taken"]]


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Milliseconds of one reply."""

    first_ms: float
    whole_ms: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a number of clients have seen, and what it has cost."""

    clients: int
    rounds: int
    floor_first_p50_ms: float
    added_first_p50_ms: float
    added_first_p95_ms: float
    added_whole_p50_ms: float
    added_whole_p95_ms: float
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
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        model = stack.enter_context(running_model_server())
        settings = {
            "LLM_MODEL": MODEL,
            "LLM_API_BASE": model,
            "LLM_API_KEY": "bench",
            "MEMORY_MODEL": STAND_IN_MODEL,
            "WEB_CONCURRENCY": str(processes),
            "MAX_LIVE_ROUNDS": "240",  # all clients are one user, who may have a quarter
        }
        site = stack.enter_context(supervised(folder / "data", **settings))
        remember(site, messages)
        runs = [measure(site, model, each, rounds or ROUNDS.get(each, 240)) for each in clients]
    publish("rounds", [figure for run in runs for figure in figures_of(run)])


def remember(site: Supervised, count: int) -> None:
    """Import messages, unless they are there, and wait for their vectors and the jobs."""
    httpx.get(f"{site.url}/healthz?warm", timeout=REPLY_S)
    headers = {USER_HEADER: USER, "Content-Type": "application/json"}
    chance = random.Random(1)
    past = [
        {
            "id": f"past-{number}",
            "messages": [
                {"role": ("user", "assistant")[each % 2], "content": say(chance)}
                for each in range(PER_CONVERSATION)
            ],
        }
        for number in range(count // PER_CONVERSATION)
    ]
    httpx.post(f"{site.url}/api/v1/imports", json=past, headers=headers, timeout=QUIET_S)
    wait_for_jobs(site)


def say(chance: random.Random) -> str:
    """Two short sentences."""
    sentences = [
        f"{chance.choice(WHO)} {chance.choice(DID)} {chance.choice(WHAT)} {chance.choice(WHERE)} "
        f"{chance.choice(WHEN)}."
        for _ in range(2)
    ]
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def ask_question(chance: random.Random) -> str:
    return f"What did {chance.choice(WHO)} say about {chance.choice(WHAT)} {chance.choice(WHERE)}?"


def wait_for_jobs(site: Supervised) -> None:
    settings = read_settings()

    def is_quiet() -> bool:
        return not find_breaches(site.database, settings, quiet=True)

    if not wait_until(is_quiet, QUIET_S):
        print("the jobs have not caught up: their processor time is too low")


def measure(site: Supervised, model: str, clients: int, rounds: int) -> Measured:
    """The floor and the site take turns."""
    speakers = Speakers(site.url, clients)
    asyncio.run(ask_all(speakers.send, clients, WARM_ROUNDS))
    wait_for_jobs(site)
    floor: list[Taken] = []
    ours: list[Taken] = []
    seconds = web_ms = 0.0
    before = processor_ms(site.data_dir)
    for _ in range(BLOCKS):
        floor += asyncio.run(ask_all(ask_model(model), clients, rounds // BLOCKS))
        web_before, began = processor_ms(site.data_dir)["web"], time.perf_counter()
        ours += asyncio.run(ask_all(speakers.send, clients, rounds // BLOCKS))
        seconds += time.perf_counter() - began
        web_ms += processor_ms(site.data_dir)["web"] - web_before
    wait_for_jobs(site)
    after = processor_ms(site.data_dir)
    spent = {name: (after[name] - before[name]) / len(ours) for name in sorted(after)}
    bare_first = statistics.median(reply.first_ms for reply in floor)
    bare_whole = statistics.median(reply.whole_ms for reply in floor)
    firsts = [reply.first_ms for reply in ours]
    wholes = [reply.whole_ms for reply in ours]
    measured = Measured(
        clients=clients,
        rounds=len(ours),
        floor_first_p50_ms=round(bare_first, 1),
        added_first_p50_ms=round(statistics.median(firsts) - bare_first, 1),
        added_first_p95_ms=round(quantile(firsts, 0.95) - bare_first, 1),
        added_whole_p50_ms=round(statistics.median(wholes) - bare_whole, 1),
        added_whole_p95_ms=round(quantile(wholes, 0.95) - bare_whole, 1),
        rounds_per_s=round(len(ours) / seconds, 1),
        processor_ms={
            name: round(ms, 1) for name, ms in (spent | {"web": web_ms / len(ours)}).items()
        },
        steps_ms=read_steps(site, len(ours)),
    )
    show(measured)
    return measured


async def ask_all(ask: Ask, clients: int, rounds: int) -> list[Taken]:
    """Each client sends one message after the other."""
    limits = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(timeout=REPLY_S, limits=limits) as client:
        each = [
            _ask_often(ask, client, number, max(1, rounds // clients)) for number in range(clients)
        ]
        return [reply for replies in await asyncio.gather(*each) for reply in replies]


async def _ask_often(ask: Ask, client: httpx.AsyncClient, number: int, rounds: int) -> list[Taken]:
    chance = random.Random(time.time_ns() + number)
    return [await ask(client, number, ask_question(chance)) for _ in range(rounds)]


def ask_model(base_url: str) -> Ask:
    async def ask(client: httpx.AsyncClient, _number: int, text: str) -> Taken:
        body = {
            "model": MODEL,
            "messages": [{"role": "user", "content": text}],
            "stream": True,
        }
        reply, _ = await read_stream(client, f"{base_url}/chat/completions", body, {}, '"content"')
        return reply

    return ask


class Speakers:
    """Clients of the site, each in one conversation of its own after the other.

    `user_of` names the user that a client speaks for.
    """

    def __init__(
        self,
        url: str,
        clients: int,
        user_of: Callable[[int], str] = lambda _: USER,
        rounds_each: int = ROUNDS_EACH,
    ) -> None:
        self._url = url
        self._user_of = user_of
        self._rounds_each = rounds_each
        self._conversations: list[str | None] = [None] * clients
        self._rounds = [0] * clients

    async def send(self, client: httpx.AsyncClient, number: int, text: str) -> Taken:
        body: dict[str, object] = {"message": text, "stream": True}
        if self._rounds[number] % self._rounds_each:
            body["conversation_id"] = self._conversations[number]
        self._rounds[number] += 1
        headers = {USER_HEADER: self._user_of(number)}
        reply, answer = await read_stream(client, f"{self._url}/chat", body, headers, '"text"')
        self._conversations[number] = answer.headers["X-Conversation-Id"]
        return reply


async def read_stream(
    client: httpx.AsyncClient, url: str, body: object, headers: Mapping[str, str], token: str
) -> tuple[Taken, httpx.Response]:
    """`token` is in the data of every piece of the reply."""
    began = time.perf_counter()
    first = 0.0
    async with client.stream("POST", url, json=body, headers=headers) as answer:
        async for line in answer.aiter_lines():
            if not first and token in line:
                first = time.perf_counter()
    if not first:
        raise SystemExit(f"{url} answered {answer.status_code}, without a token")
    whole = time.perf_counter()
    return Taken(first_ms=(first - began) * 1000, whole_ms=(whole - began) * 1000), answer


def processor_ms(data_dir: Path) -> dict[str, float]:
    """Processor time so far, by the name of the process, with all its children."""
    started = PidFiles(data_dir / "pids").list_started()
    return {process.name.split(".")[0]: 1000 * TreeCpu(process.pid).read_s() for process in started}


def figures_of(run: Measured) -> Iterator[Figure]:
    floor, floor_ms = "the model's server by httpx", run.floor_first_p50_ms
    added = {
        "first token, p50": run.added_first_p50_ms,
        "first token, p95": run.added_first_p95_ms,
        "whole reply, p50": run.added_whole_p50_ms,
        "whole reply, p95": run.added_whole_p95_ms,
    }
    for what, ms in added.items():
        name = f"{run.clients} at once: added to the {what}"
        yield Figure(name=name, value=ms, unit="ms", beside=floor, beside_value=floor_ms)
    for process, ms in run.processor_ms.items():
        yield Figure(name=f"{run.clients} at once: CPU of {process} a round", value=ms, unit="ms")


def read_steps(site: Supervised, count: int) -> dict[str, float]:
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


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def show(run: Measured) -> None:
    print(f"\n{run.clients} at once, {run.rounds} rounds, {run.rounds_per_s:.1f} a second")
    print(f"  first token: the model's server {run.floor_first_p50_ms} ms, added "
          f"p50 {run.added_first_p50_ms} ms, p95 {run.added_first_p95_ms} ms")  # fmt: skip
    print(f"  whole reply: added p50 {run.added_whole_p50_ms} ms, p95 {run.added_whole_p95_ms} ms")
    print("  processor time a round, ms:", _line(run.processor_ms))
    print("  steps, ms:", _line(run.steps_ms), flush=True)


def _line(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


if __name__ == "__main__":
    main()
