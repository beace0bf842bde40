"""The measuring part of `bench.peers`, in the environment that has the peers."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from tempfile import TemporaryDirectory

import click

from bench.harness.model_server import running_model
from bench.harness.report import Figure, publish
from bench.harness.turns import Spent, take_turns
from bench.peers.model import MESSAGE, answer
from bench.peers.systems import BuiltIn, LangGraph, Mem0, Product, System
from bench.rounds.speakers import make_message, make_question
from shared.services import Services
from shared.settings import read_settings
from tests.services import as_application, running_services

BLOCKS = 5  # of each system, and one to warm up
SEARCHES, ADDS, LESSONS = 48, 24, 16  # in a block
COLOURS = ("red", "blue", "green", "silver", "black")
CHANCE = random.Random(1)
NUMBERS = itertools.count(1)

Call = Callable[[System], object]


@click.command()
@click.option("--sizes", default="1000,10000", help="Memories of the user who searches.")
@click.option("--blocks", default=BLOCKS)
def main(sizes: str, blocks: int) -> None:
    figures: list[Figure] = []
    for size in map(int, sizes.split(",")):
        with filled(size) as systems:
            for figure in compare(systems, f"user-{size}", blocks):
                figures.append(replace(figure, name=f"{figure.name}, {size:,} memories"))
    publish("peers", figures)


@contextmanager
def filled(size: int) -> Iterator[list[System]]:
    """The product and its peers, with the same memories of one user."""
    with (
        TemporaryDirectory() as folder,
        running_model(answer=answer) as (model_url, _),
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
            ),
            recall_timeout_s=30,  # as long as the others may take
        )
        built_in = BuiltIn(services)
        systems = [
            Product(services),
            Mem0(mem0_url, model_url, folder, built_in),
            LangGraph(langgraph_url, built_in),
        ]
        texts = [make_message(CHANCE) for _ in range(size)]
        for system in systems:
            began = time.perf_counter()
            system.fill(f"user-{size}", texts)
            print(f"{size:,} memories of {system.name}: {time.perf_counter() - began:.0f} s")
        yield systems
        services.close()


def compare(systems: Sequence[System], user: str, blocks: int) -> Iterator[Figure]:
    """The product, which is the first, beside each of the others. "CPU" is of this process."""

    def turn(calls_each: int, call: Call, among: Sequence[System] = systems) -> dict[str, Spent]:
        calls = {system.name: partial(call, system) for system in among}
        return take_turns(calls, blocks, calls_each=calls_each)

    learners = [system for system in systems if not isinstance(system, LangGraph)]
    search = turn(SEARCHES, lambda system: system.search(user, make_question(CHANCE)))
    add = turn(ADDS, lambda system: system.add("adder", say()))
    embedded = turn(ADDS, add_and_embed)
    learn = turn(LESSONS, lambda system: system.learn("learner", say()), learners)
    rows = {
        "search": search,
        "add, until it returns": add,
        "add, until it has its vectors": embedded,
        "learn": learn,
    }
    for name, spent in rows.items():
        ours = spent[Product.name]
        for peer, theirs in spent.items():
            if peer != Product.name:
                yield _figure(name, ours.wall_ms, peer, theirs.wall_ms)
                yield _figure(f"{name}, CPU", ours.cpu_ms, peer, theirs.cpu_ms)


def add_and_embed(system: System) -> None:
    system.add("adder", say())
    system.embed()


def _figure(name: str, ours: float, peer: str, theirs: float) -> Figure:
    return Figure(name=name, value=ours, unit="ms", beside=peer, beside_value=theirs)


def say() -> str:
    number = next(NUMBERS)
    return MESSAGE.format(number=number, colour=COLOURS[number % len(COLOURS)])


if __name__ == "__main__":
    main()
