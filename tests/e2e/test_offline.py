"""Nothing phones home: the whole site at work with every address but loopback cut off.

Two watches stand side by side. A hook in each Python process writes down whom it tries to reach,
anywhere. On Linux as root, the processes also have a network of their own in which every packet
is seen, whoever sends it: native code asks for names without Python's knowledge.

`OFFLINE_WATCH_S` makes a longer watch (docs/testing.md).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from supervisor.procfile import parse_procfile
from tests.e2e.conftest import environment_of
from tests.e2e.outbound.network import run_cut_off
from tests.e2e.site import ROOT, Site, running_site
from tests.exports import EXPORT_S
from tests.services import Services
from tests.waiting import wait_for

WATCH = Path(__file__).parent / "outbound"
PROCESSES = tuple(parse_procfile((ROOT / "Procfile").read_text()))
SAID = ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?")
NOWHERE = "192.0.2.1"  # set aside for documentation: nobody has it
# A library may wait before it calls home: onnxruntime did so 6 s after its first use.
WATCHED_S = float(os.environ.get("OFFLINE_WATCH_S", "20"))
ROUND_EVERY_S = 10
REDIS = 6  # a database of its own

only_cut_off = "taking the network away needs Linux and root; Python was watched all the same"


class Talk(NamedTuple):
    """What came of the first rounds."""

    replies: list[str]
    summary: str


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What came of the first rounds, and what the watches wrote down."""

    talk: Talk
    watched: list[str]
    tried: list[str]
    sent: set[str] | None
    at_home: list[str]


@pytest.fixture(scope="module")
def observation(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder, home = tmp_path_factory.mktemp("offline"), tmp_path_factory.mktemp("home")
    (folder / "embeddings").mkdir()  # its own: the export is watched, too

    def play(_: set[str] | None) -> Talk:
        with services.databases.lend() as url:
            environment = environment_of(services, url, REDIS) | watch_environment(folder)
            variables = {"HOME": str(home), "FLOWER_BASIC_AUTH": "a:b"}
            with running_site(environment | variables, folder, *PROCESSES) as site:
                first = talk(site)
                ends_at = time.monotonic() + WATCHED_S
                while time.monotonic() < ends_at:
                    time.sleep(ROUND_EVERY_S)  # noqa: TID251 - it watches for a time
                    site.chat("And what do you know of me?")
                return first

    first, destinations = run_cut_off(play)
    return Seen(
        talk=first,
        watched=read_watch(folder, "watched"),
        tried=read_watch(folder, "tried"),
        sent=destinations,
        at_home=sorted(str(path.relative_to(home)) for path in home.rglob("*")),
    )


def watch_environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(WATCH), "WATCH_FILE": str(folder / "watch")}


def read_watch(folder: Path, what: str) -> list[str]:
    return [line for line in (folder / "watch").read_text().splitlines() if line.startswith(what)]


def talk(site: Site) -> Talk:
    """Replies, and the summary that a worker made of them; with Flower looking on.

    At the end all libraries are loaded.
    """
    conversation_id, replies = None, []
    for text in SAID:
        answer = site.chat(text, conversation_id)
        conversation_id = answer["conversation_id"]
        replies.append(answer["reply"])
    memory = f"/api/v1/conversations/{conversation_id}/summaries"
    wait_for(lambda: site.get(memory)["summary_end"] == 5, 90, site.log("worker-llm"))
    wait_for_event(site, "worker-embed", "messages.embedded")
    wait_for_event(site, "web", "encoder.loaded")
    summary = site.get(memory)["rows"][0]["memory_text"]
    return Talk(replies, summary)


def wait_for_event(site: Site, name: str, event: str) -> None:
    log = site.log_path(name)
    wait_for(lambda: event in log.read_text(errors="replace"), EXPORT_S, site.log(name))


def test_rounds_are_answered_and_summarised_without_a_network(observation: Seen) -> None:
    replies, summary = observation.talk
    assert "Alexander" in replies[-1]
    assert "Alexander" in summary


def test_no_process_tried_to_reach_another_machine(observation: Seen) -> None:
    assert observation.tried == []


@pytest.mark.parametrize("program", ["gunicorn", "summaries", "embeddings", "beat", "flower"])
def test_every_process_was_watched(observation: Seen, program: str) -> None:
    assert any(program in line for line in observation.watched)


def test_no_process_sent_anything_to_another_machine_or_asked_for_a_name(observation: Seen) -> None:
    if observation.sent is None:
        pytest.skip(only_cut_off)
    assert observation.sent == set()


def test_nothing_was_left_in_the_home_folder(observation: Seen) -> None:
    assert observation.at_home == []


def test_programs_that_are_not_python_are_seen_too() -> None:
    programs = {
        "name somewhere.invalid": ["getent", "hosts", "somewhere.invalid"],
        f"address {NOWHERE} port 9": ["bash", "-c", f"echo > /dev/udp/{NOWHERE}/9"],
        f"address {NOWHERE} port 80": ["bash", "-c", f"echo > /dev/tcp/{NOWHERE}/80"],
    }

    def attempt(destinations: set[str] | None) -> None:
        with ExitStack() as stack:
            for program in programs.values():
                process = subprocess.Popen(program, stderr=subprocess.DEVNULL)
                stack.enter_context(process)
                stack.callback(process.kill)
            if destinations is not None:
                wait_for(lambda: programs.keys() <= destinations, explain=lambda: str(destinations))

    _, destinations = run_cut_off(attempt)
    if destinations is None:
        pytest.skip(only_cut_off)


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
