"""A model file under the supervisor; llama.cpp's package is a script."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shared.settings import read_settings
from supervisor.process_identity import find_identity
from supervisor.running_site import find_urls
from tests.e2e.supervised import NO_SERVICES, PROJECT, WEB, Supervised, supervised
from tests.fakes.gguf import write_gguf
from tests.waiting import wait_for

PACKAGES = os.pathsep.join([str(PROJECT), str(PROJECT / "tests/fakes/local_model")])
ASKS = "worker-llm: sh -c 'echo asks $LLM_MODEL at $LLM_API_BASE with $CTX_TOKENS; sleep 600'"


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervised]:
    write_gguf(tmp_path / "small.gguf")
    with supervised(tmp_path, WEB, ASKS) as supervisor:
        supervisor.environment |= NO_SERVICES | {
            "PYTHONPATH": PACKAGES,
            "LLM_MODEL": f"file:{tmp_path / 'small.gguf'}",
        }
        yield supervisor


def test_a_model_file_is_loaded_before_the_page_opens_and_asked_by_the_site(
    supervisor: Supervised,
) -> None:
    os.mkfifo(supervisor.folder / "may-load")
    supervisor.start()
    wait_for((supervisor.folder / ".data/pids/model.json").exists)
    assert "Throughline:" not in supervisor.output
    (supervisor.folder / "may-load").write_text("")
    supervisor.wait_for("asks small at http://127.0.0.1:")
    supervisor.wait_for("Ctrl-C stops everything in order.")
    assert supervisor.output.index("small at http") < supervisor.output.index("Throughline:")
    assert "with 8000" in supervisor.output
    site = find_urls(read_settings(data_dir=supervisor.folder / ".data", **urls(supervisor)))
    models = f"{site['LLM_API_BASE']}/models"
    assert httpx.get(models).status_code == 401
    key = {"Authorization": f"Bearer {site['LLM_API_KEY']}"}
    assert httpx.get(models, headers=key).status_code == 200


def urls(supervisor: Supervised) -> dict[str, str]:
    return {name.lower(): supervisor.environment[name] for name in (*NO_SERVICES, "LLM_MODEL")}


def test_a_model_that_dies_is_started_again_and_stops_with_the_site(
    supervisor: Supervised,
) -> None:
    process = supervisor.start()
    supervisor.wait_for("Ctrl-C stops everything in order.")
    first = supervisor.pid_of("model")
    supervisor.kill("model")
    wait_for(lambda: len(supervisor.pids()) == 3, explain=lambda: supervisor.output)
    again = supervisor.pid_of("model")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not any(map(find_identity, (first, again)))
    assert supervisor.output.index("stopping web") < supervisor.output.index("stopping model")


def test_a_file_that_is_gone_is_named_while_the_site_runs_on(supervisor: Supervised) -> None:
    supervisor.start()
    supervisor.wait_for("Ctrl-C stops everything in order.")
    (supervisor.folder / "small.gguf").unlink()
    supervisor.kill("model")
    supervisor.wait_for("model cannot start: there is no file")
    page = f"http://127.0.0.1:{supervisor.environment['PORT']}"
    assert httpx.get(page).is_success


def test_a_model_that_cannot_be_loaded_ends_the_start_with_what_it_said(
    supervisor: Supervised,
) -> None:
    path = write_gguf(supervisor.folder / "broken.gguf")
    assert supervisor.start_quietly(LLM_MODEL=f"file:{path}").wait(60) == 1
    assert "the tensors are not within the file" in supervisor.output
    assert "model could not be started: see its lines above." in supervisor.output


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PYTHONPATH": str(PROJECT)}, "bin/install local-model"),
        ({"LLM_MODEL": "file:/nowhere.gguf"}, "LLM_MODEL: there is no file /nowhere.gguf."),
        ({"LLM_API_BASE": "http://127.0.0.1:1/v1"}, "LLM_API_BASE names a server"),
        ({"MEMORY_MODEL": "file:/a.gguf"}, "MEMORY_MODEL: only LLM_MODEL may name a file."),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    supervisor: Supervised, environment: dict[str, str], sentence: str
) -> None:
    assert supervisor.start(**environment).wait(60) == 1
    assert sentence in supervisor.output.splitlines()[-1]
