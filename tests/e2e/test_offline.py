"""Nothing phones home: the whole site at work with every address but loopback cut off.

Two watches stand side by side. A hook in each Python process writes down whom it tries to reach,
anywhere. On Linux as root, the processes also have a network of their own in which every packet
is seen, whoever sends it: native code asks for names without Python's knowledge.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from supervisor.procfile import parse_procfile
from tests.e2e.conftest import environment_of
from tests.e2e.outbound.network import run_cut_off
from tests.e2e.site import ROOT, Site, running_site
from tests.services import Services
from tests.waiting import wait_for

WATCH = Path(__file__).parent / "outbound"
PROCESSES = tuple(parse_procfile((ROOT / "Procfile").read_text()))
SAID = ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?")
NOWHERE = "192.0.2.1"  # set aside for documentation: nobody has it
# A library may wait before it calls home; onnxruntime did so some seconds after its first use.
WATCHED_S = 120
ROUND_EVERY_S = 10
REDIS = 6  # a database of its own: the site is at work while other tests run

only_cut_off = "taking the network away needs Linux and root; Python was watched all the same"


class Talk(NamedTuple):
    """What came of the first rounds."""

    replies: list[str]
    summary: str


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the watches wrote down."""

    watched: list[str]
    tried: list[str]
    sent: set[str] | None
    at_home: list[str]


class Watch(NamedTuple):
    """Of a site that is at work while other tests run."""

    talk: Future[Talk]
    seen: Future[Seen]


@pytest.fixture(scope="session")
def watch(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watch]:
    folder, home = tmp_path_factory.mktemp("offline"), tmp_path_factory.mktemp("home")
    (folder / "embeddings").mkdir()  # its own: the export is watched, too
    talked: Future[Talk] = Future()
    is_over = threading.Event()

    def play(_: set[str] | None) -> None:
        with services.databases.lend() as url:
            environment = environment_of(services, url, REDIS) | watch_environment(folder)
            own = {"HOME": str(home), "FLOWER_BASIC_AUTH": "a:b"}
            ends_at = time.monotonic() + WATCHED_S
            with running_site(environment | own, folder, *PROCESSES) as site:
                talked.set_result(talk(site))
                while time.monotonic() < ends_at and not is_over.wait(ROUND_EVERY_S):
                    site.chat("And what do you know of me?")

    def look() -> Seen:
        try:
            _, sent = run_cut_off(play)
        except BaseException as exc:
            if not talked.done():
                talked.set_exception(exc)
            raise
        return Seen(
            watched=read_watch(folder, "watched"),
            tried=read_watch(folder, "tried"),
            sent=sent,
            at_home=sorted(str(path.relative_to(home)) for path in home.rglob("*")),
        )

    with ThreadPoolExecutor(max_workers=1) as thread:
        yield Watch(talked, thread.submit(look))
        is_over.set()


@pytest.fixture
def seen(watch: Watch) -> Seen:
    """Waits for the end of the watch: tests that want it come last (`conftest.py`)."""
    return watch.seen.result()


def watch_environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(WATCH), "WATCH_FILE": str(folder / "watch")}


def read_watch(folder: Path, what: str) -> list[str]:
    return [line for line in (folder / "watch").read_text().splitlines() if line.startswith(what)]


def talk(site: Site) -> Talk:
    """Replies, and the summary that a worker made of them; with Flower looking on."""
    conversation_id, replies = None, []
    for text in SAID:
        answer = site.chat(text, conversation_id)
        conversation_id = answer["conversation_id"]
        replies.append(answer["reply"])
    memory = f"/api/conversations/{conversation_id}/memory"
    wait_for(lambda: site.get(memory)["summary_end"] == 5, 90, site.log("worker-llm"))
    wait_for(lambda: "ready" in site.log("worker-embed")(), 90, site.log("worker-embed"))
    summary = site.get(memory)["rows"][0]["memory_text"]
    return Talk(replies, summary)


def test_rounds_are_answered_and_summarised_without_a_network(watch: Watch) -> None:
    replies, summary = watch.talk.result()
    assert "Alexander" in replies[-1]
    assert "Alexander" in summary


def test_no_process_tried_to_reach_another_machine(seen: Seen) -> None:
    assert seen.tried == []


@pytest.mark.parametrize("program", ["gunicorn", "summaries", "embeddings", "beat", "flower"])
def test_every_process_was_watched(seen: Seen, program: str) -> None:
    assert any(program in line for line in seen.watched)


def test_no_process_sent_anything_to_another_machine_or_asked_for_a_name(seen: Seen) -> None:
    if seen.sent is None:
        pytest.skip(only_cut_off)
    assert seen.sent == set()


def test_nothing_was_left_in_the_home_folder(seen: Seen) -> None:
    assert seen.at_home == []


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (["getent", "hosts", "somewhere.invalid"], "name somewhere.invalid"),
        (["bash", "-c", f"echo > /dev/udp/{NOWHERE}/9"], f"address {NOWHERE} port 9"),
        (["bash", "-c", f"echo > /dev/tcp/{NOWHERE}/80"], f"address {NOWHERE} port 80"),
    ],
)
def test_programs_that_are_not_python_are_seen_too(program: list[str], found: str) -> None:
    def attempt(seen: set[str] | None) -> None:
        with subprocess.Popen(program, stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: seen is None or found in seen)
            process.kill()

    _, sent = run_cut_off(attempt)
    if sent is None:
        pytest.skip(only_cut_off)
    assert found in sent


@pytest.mark.parametrize(
    "attempt",
    [
        f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('{NOWHERE}', 9))",
        f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'', ('{NOWHERE}', 9))",
        "socket.getaddrinfo('somewhere.invalid', 80)",
    ],
)
def test_the_watch_sees_whoever_tries(attempt: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", f"import socket; {attempt}"],
        env=os.environ | watch_environment(tmp_path),
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert len(read_watch(tmp_path, "tried")) == 1
