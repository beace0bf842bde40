"""Replies and memory at one model: `python -m bench.real_model contention`.

Four people (BENCH_USERS) send six messages each (BENCH_ROUNDS), with pauses of up to four seconds
(BENCH_PAUSE_S), to a server that answers two requests at once, while memory asks the same server.
Prints the seconds until the first token and until all jobs are done, for two sites in turn:
without memory's jobs, and with them. Without LLM_API_BASE a scripted
server is used, with the speed of a 1.5B model on two cores.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench.harness.site import USER_HEADER, BenchSite, running_site
from shared.settings import read_settings
from tests.fakes.openai_server import Scripted, running_openai_server
from tests.fakes.prompt_cache import PromptCache
from tests.integration.faults.answers import ANSWERS

USERS = int(os.environ.get("BENCH_USERS", "4"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "6"))
PAUSE_S = float(os.environ.get("BENCH_PAUSE_S", "4"))  # the longest before the next message
SLOTS = 2
CATCH_UP_S = 900.0
CACHED = 16  # prompts, as a server keeps them in its memory
REPLY_TOKENS = "80"
READ_PER_S, WRITTEN_PER_S = 60.0, 29.0  # tokens, of a 1.5B model on two quiet cores
SAID = (
    "I live in Lisbon with my husband Tom and our dog Biscuit.",
    "What could we cook tonight? I am allergic to peanuts.",
    "We moved here last month. Which part of the city is quiet?",
    "Tell me about the ferry over the river.",
    "My sister visits us on Friday. Where should we take her?",
    "Write that plan down in three short lines, please.",
)
SITES = {
    "no memory jobs": {"FORMATION": "worker-llm=0,flower=0"},
    "memory yields": {},
}
LEFT = "SELECT count(*) AS n FROM jobs WHERE status = 'processing'"
DONE = """
    SELECT string_agg(kind || ' ' || number, ', ' ORDER BY kind) AS numbers
    FROM (SELECT kind, count(*) AS number FROM jobs WHERE status = 'completed'
          GROUP BY kind) AS kinds
"""
FAILED = "SELECT count(*) AS n FROM jobs WHERE status = 'failed'"


@dataclass
class Person(threading.Thread):
    """Sends all of `SAID`, one after the other, in one conversation, until it is stopped."""

    url: str
    user: str
    rounds: int = ROUNDS
    #: The shortest and the longest before a message.
    pauses_s: tuple[float, float] = (0, PAUSE_S)
    stopped: threading.Event = field(default_factory=threading.Event)
    first_token_s: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        pauses = random.Random(self.user)
        place: dict[str, str] = {}
        headers = {USER_HEADER: self.user}
        with httpx.Client(base_url=self.url, headers=headers, timeout=700) as client:
            for number in range(self.rounds):
                if self.stopped.wait(pauses.uniform(*self.pauses_s)):
                    return
                place = self._say(client, SAID[number % len(SAID)], place)

    def _say(self, client: httpx.Client, text: str, place: dict[str, str]) -> dict[str, str]:
        began = time.monotonic()
        has_begun = False
        body = {"message": text, "stream": True} | place
        with client.stream("POST", "/chat", json=body) as answer:
            for name, data in list_events(answer.iter_lines()):
                if name == "delta" and not has_begun:
                    has_begun = True
                    self.first_token_s.append(time.monotonic() - began)
                elif name == "error":
                    self.failed.append(str(data))
            return {"conversation_id": answer.headers["X-Conversation-Id"]}


def list_events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def main() -> None:
    print(f"{USERS} people, {ROUNDS} rounds each, pauses up to {PAUSE_S:g} s")
    with running_model(SLOTS) as model:
        for name, settings in SITES.items():
            measure(name, model | settings)


@contextmanager
def running_model(
    slots: int, answers: Mapping[str, Scripted] = ANSWERS
) -> Iterator[dict[str, str]]:
    """Settings for the server in the environment, or for a scripted one of so many slots."""
    settings = read_settings()
    if settings.llm_api_base:
        print(f"{settings.llm_model} at LLM_API_BASE (slots it should have: {slots})")
        yield {"LLM_MAX_TOKENS": REPLY_TOKENS}
        return
    print(f"LLM_API_BASE is not set: a scripted server, slots: {slots}")
    with running_openai_server() as server:
        server.cache = PromptCache(CACHED)
        server.slots = threading.Semaphore(slots)
        server.by_task |= {task: _at_speed(answer.text) for task, answer in answers.items()}
        server.by_task["reply"] = _at_speed("Certainly: " + "one word and the next " * 8)
        yield {"LLM_API_BASE": server.base_url, "LLM_MODEL": "scripted", "LLM_API_KEY": "x"}


def measure(name: str, environment: dict[str, str]) -> None:
    with running_site(environment) as site:
        people = [Person(site.url, f"user-{number}") for number in range(USERS)]
        began = time.monotonic()
        for person in people:
            person.start()
        for person in people:
            person.join()
        show_people(name, people, time.monotonic() - began)
        if environment.get("FORMATION") is None:
            show_memory(site)


def show_people(name: str, people: Sequence[Person], talked_s: float) -> None:
    times = sorted(seconds for person in people for seconds in person.first_token_s)
    failed = [error for person in people for error in person.failed]
    late = sum("model_timeout" in error for error in failed)
    p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{name}: {len(times)} of {USERS * ROUNDS} replies in {talked_s:.0f} s")
    print(f"  504: {late}, failed otherwise: {len(failed) - late}")
    print(f"  first token: p50 {statistics.median(times):.1f} s, p95 {p95:.1f} s, "
          f"longest {times[-1]:.1f} s")  # fmt: skip


def show_memory(site: BenchSite) -> None:
    left, done = site.fetch_row(LEFT)["n"], site.fetch_row(DONE)["numbers"]
    began = time.monotonic()
    is_quiet = site.wait_for_jobs(CATCH_UP_S)
    print(f"  jobs done while they talked: {done}")
    print(f"  jobs left when they paused: {left}; memory caught up: {is_quiet}, "
          f"{time.monotonic() - began:.0f} s later; failed jobs: {site.fetch_row(FAILED)['n']}, "
          f"gave way {site.log.count('job.yields')} times")  # fmt: skip


def _at_speed(text: str) -> Scripted:
    return Scripted(text=text, read_per_s=READ_PER_S, piece_delay_s=1 / WRITTEN_PER_S)
