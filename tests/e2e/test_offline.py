"""Nothing phones home: the whole site at work with every address but loopback cut off."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from supervisor.procfile import parse_procfile
from tests.e2e.conftest import environment_of
from tests.e2e.outbound.network import has_route, run_cut_off
from tests.e2e.site import ROOT, Site, running_site
from tests.services import Services
from tests.waiting import wait_for

WATCH = Path(__file__).parent / "outbound"
PROCESSES = tuple(parse_procfile((ROOT / "Procfile").read_text()))
SAID = ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?")
NOWHERE = "192.0.2.1"  # set aside for documentation: nobody has it


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What came of three rounds, and what the watch wrote down meanwhile."""

    replies: list[str]
    summary: str
    watched: list[str]
    tried: list[str]
    is_cut_off: bool
    had_route: bool


@pytest.fixture(scope="module")
def seen(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("offline")
    watch = watch_environment(folder)
    with services.database() as url:
        environment = environment_of(services, url) | watch | {"FLOWER_BASIC_AUTH": "a:b"}

        def play() -> tuple[list[str], str, bool]:
            with running_site(environment, folder, *PROCESSES) as site:
                return *talk(site), has_route(NOWHERE)

        (replies, summary, had_route), is_cut_off = run_cut_off(play)
    return Seen(
        replies=replies,
        summary=summary,
        watched=read_watch(folder, "watched"),
        tried=read_watch(folder, "tried"),
        is_cut_off=is_cut_off,
        had_route=had_route,
    )


def watch_environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(WATCH), "WATCH_FILE": str(folder / "watch")}


def read_watch(folder: Path, what: str) -> list[str]:
    return [line for line in (folder / "watch").read_text().splitlines() if line.startswith(what)]


def talk(site: Site) -> tuple[list[str], str]:
    """Replies, and the summary that a worker made of them; with Flower looking on."""
    conversation_id, replies = None, []
    for text in SAID:
        answer = site.chat(text, conversation_id)
        conversation_id = answer["conversation_id"]
        replies.append(answer["reply"])
    memory = f"/api/conversations/{conversation_id}/memory"
    wait_for(lambda: site.get(memory)["summary_end"] == 5, 90, site.log("worker-llm"))
    wait_for(lambda: "ready" in site.log("worker-embed")(), 90, site.log("worker-embed"))
    return replies, site.get(memory)["rows"][0]["memory_text"]


def test_rounds_are_answered_and_summarised_without_a_network(seen: Seen) -> None:
    assert "Alexander" in seen.replies[-1]
    assert "Alexander" in seen.summary


def test_no_process_tried_to_reach_another_machine(seen: Seen) -> None:
    assert seen.tried == []


@pytest.mark.parametrize("program", ["gunicorn", "summaries", "embeddings", "beat", "flower"])
def test_every_process_was_watched(seen: Seen, program: str) -> None:
    assert any(program in line for line in seen.watched)


def test_other_machines_were_out_of_reach(seen: Seen) -> None:
    if not seen.is_cut_off:
        pytest.skip("taking the network away needs Linux and root; the watch ran all the same")
    assert not seen.had_route


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
