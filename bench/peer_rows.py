"""The measuring part of `bench.peers`, in the environment that has the peers."""

from __future__ import annotations

import io
import itertools
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from tempfile import TemporaryDirectory
from threading import Lock

import click

from bench.peer_model import SAID, running_model
from bench.peer_systems import BuiltIn, LangGraph, Mem0, Peer, Product, System
from bench.report import Figure, publish
from shared.db import fetch_rows
from shared.models import UserId
from shared.services import Services
from shared.settings import read_settings
from shared.user_data.imports.importer import import_file
from tests.embedding import embed_pending
from tests.services import as_application, running_services

CLIENTS = (1, 8)
BLOCKS = 6  # of each system; the first warms up
SEARCHES, ADDS, LEARNED = 48, 24, 16  # in a block
PER_CONVERSATION = 40
PEOPLE = ("my brother", "my neighbour", "Anna", "the teacher", "our boss", "my aunt", "Tom", "I")
DEEDS = ("bought", "sold", "painted", "lost", "found", "repaired", "borrowed", "photographed")
COLOURS = ("red", "blue", "green", "old", "tiny", "wooden", "silver", "broken", "heavy", "soft")
THINGS = ("bicycle", "guitar", "lamp", "boat", "clock", "tent", "camera", "piano", "kettle", "map")
PLACES = ("Lisbon", "Oslo", "the market", "Kyoto", "the garage", "Prague", "the harbour", "Lima")


@click.command()
@click.option("--sizes", default="1000,10000", help="Memories of the user who searches.")
@click.option("--blocks", default=BLOCKS)
def main(sizes: str, blocks: int) -> None:
    figures: list[Figure] = []
    for size in map(int, sizes.split(",")):
        with started(size) as (product, peers):
            for clients in CLIENTS:
                where = f"{size:,} memories, {clients} at once"
                print(f"-- {where}", flush=True)
                game = Game(systems=[product, *peers], clients=clients, blocks=blocks)
                figures += game.compare(user_of(size), where)
    publish("peers", figures)


@contextmanager
def started(size: int) -> Iterator[tuple[Product, list[Peer]]]:
    with (
        TemporaryDirectory() as folder,
        running_model() as model_url,
        running_services(durable=True) as running,
        running.databases.copy() as url,
        running.databases.copy("template0") as mem0_url,
        running.databases.copy("template0") as langgraph_url,
    ):
        services = Services(
            read_settings(
                database_url=as_application(url),
                redis_url=running.valkey.url,
                llm_model="bench",
                llm_api_base=model_url,
                llm_api_key="bench",
                memory_max_calls=max(CLIENTS),
            ),
            recall_timeout_s=30,  # as long as the others may take
        )
        built_in = BuiltIn(services)
        peers: list[Peer] = [
            Mem0(mem0_url, model_url, folder, built_in),
            LangGraph(langgraph_url, built_in),
        ]
        fill(services, peers, built_in, size)
        yield Product(services), peers
        services.close()


def fill(services: Services, peers: Sequence[Peer], built_in: BuiltIn, size: int) -> None:
    """The same memories and vectors for all."""
    began = time.perf_counter()
    texts = list(itertools.islice(list_memories(), size))
    user = UserId(user_of(size))
    import_file(services, user, io.BytesIO(json.dumps(conversations_of(texts)).encode()))
    embed_pending(services)
    with services.database.transaction(user=user) as connection:
        rows = fetch_rows(
            connection,
            "SELECT content, embedding::text AS vector FROM messages "
            "JOIN message_embeddings USING (user_id, conversation_id, sequence_number)",
        )
    vectors_of = {row["content"]: json.loads(row["vector"], parse_int=float) for row in rows}
    built_in.known = vectors_of
    vectors = [vectors_of[text] for text in texts]
    for peer in peers:
        peer.fill(user, texts, vectors)
    built_in.known = {}
    print(f"{len(texts):,} memories in each, in {time.perf_counter() - began:.0f} s", flush=True)


def list_memories() -> Iterator[str]:
    for number, parts in enumerate(itertools.product(PLACES, THINGS, DEEDS, PEOPLE, COLOURS)):
        place, thing, deed, who, colour = parts
        yield f"In week {number % 53} {who} {deed} a {colour} {thing} in {place}."


def list_questions() -> Iterator[str]:
    for deed, thing, place in itertools.cycle(itertools.product(DEEDS, THINGS, PLACES[:3])):
        yield f"Who {deed} the {thing} in {place}?"


NUMBERS = itertools.count(1)
QUESTIONS, ASKING = list_questions(), Lock()  # threads must not share a generator


def conversations_of(texts: Sequence[str]) -> list[dict[str, object]]:
    """In the import format, user and assistant in turn."""
    return [
        {
            "title": f"Conversation {start}",
            "messages": [
                {"role": ("user", "assistant")[place % 2], "content": text}
                for place, text in enumerate(texts[start : start + PER_CONVERSATION])
            ],
        }
        for start in range(0, len(texts), PER_CONVERSATION)
    ]


def user_of(size: int) -> str:
    return f"user-{size}"


class Taken:
    """Milliseconds by system: of each call, and of a whole block divided by its calls."""

    def __init__(self) -> None:
        self.calls: dict[str, list[float]] = defaultdict(list)
        self.blocks: dict[str, list[float]] = defaultdict(list)
        self.cpu: dict[str, list[float]] = defaultdict(list)

    def add(self, name: str, calls: Sequence[float], elapsed_s: float, cpu_s: float) -> None:
        self.calls[name] += calls
        self.blocks[name].append(elapsed_s * 1000 / len(calls))
        self.cpu[name].append(cpu_s * 1000 / len(calls))


Call = Callable[[System, int], object]


@dataclass(frozen=True, kw_only=True)
class Game:
    """Systems that take turns in `blocks`, each of which is shared among `clients`."""

    systems: Sequence[System]
    clients: int
    blocks: int

    def compare(self, user: str, where: str) -> list[Figure]:
        search = self.play(SEARCHES, lambda system, _: system.search(user, ask()))
        add = self.play(ADDS, lambda system, place: system.add(f"client-{place}", said()))
        learners = [system for system in self.systems if not isinstance(system, LangGraph)]
        learn = replace(self, systems=learners).play(
            LEARNED, lambda system, place: system.learn(f"learner-{place}", said())
        )
        rows = {
            "search": search.calls,
            "search, CPU of the client": search.cpu,
            "add, until it returns": add.calls,
            "add, until it has its vectors": add.blocks,
            "add, CPU of the client, vectors included": add.cpu,
            "learn": learn.blocks,
            "learn, CPU of the client": learn.cpu,
        }
        return [
            figure
            for name, times in rows.items()
            for figure in list_figures(f"{name}, {where}", times)
        ]

    def play(self, count: int, call: Call) -> Taken:
        """Each block is `count` calls by all clients together."""
        times = Taken()
        with ThreadPoolExecutor(self.clients) as pool:
            for block, system in itertools.product(range(self.blocks), self.systems):
                began, cpu_began = time.perf_counter(), time.process_time()
                share = partial(play_share, system, call, count // self.clients)
                calls = [
                    ms
                    for client_calls in pool.map(share, range(self.clients))
                    for ms in client_calls
                ]
                system.finish()
                elapsed_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_began
                if block:  # the first one warms up
                    times.add(system.name, calls, elapsed_s, cpu_s)
        return times


def play_share(system: System, call: Call, count: int, place: int) -> list[float]:
    """The milliseconds of one client's calls."""
    each = []
    for _ in range(count):
        began = time.perf_counter()
        call(system, place)
        each.append((time.perf_counter() - began) * 1000)
    return each


def list_figures(name: str, times: dict[str, list[float]]) -> list[Figure]:
    """The product, which is the first, beside each of the others."""
    (_, ours), *others = times.items()
    return [
        Figure(
            name=name,
            value=statistics.median(ours),
            unit="ms",
            beside=peer,
            beside_value=statistics.median(theirs),
        )
        for peer, theirs in others
    ]


def ask() -> str:
    with ASKING:
        return next(QUESTIONS)


def said() -> str:
    number = next(NUMBERS)
    return SAID.format(number=number, colour=COLOURS[number % len(COLOURS)])


if __name__ == "__main__":
    main()
