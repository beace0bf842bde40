"""A new version is brought in while the one before serves: nobody waits, and nothing is lost.

The version before is the code as it was before the newest migrations were added.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from shared.settings import read_settings
from shared.store.upkeep.schema import NEEDED
from tests.e2e.conftest import SHORT_LEASE, SHORT_LEASE_S, environment_of
from tests.e2e.site import ROOT, Site, running_site
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.integration.faults.answers import answer_well
from tests.integration.worker import list_jobs
from tests.services import Services
from tests.waiting import wait_for

DONE_S = 60 + SHORT_LEASE_S
PROCESSES = ("web", "worker-llm", "beat")
BETWEEN_ROUNDS_S = 0.3  # a person is not faster; without it, they take the CPU of what starts


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("the project's history is not here")
    return done.stdout


def list_migrations(commit: str) -> list[str]:
    names = git("ls-tree", "--name-only", commit, "migrations/versions/").decode().split()
    return sorted(Path(name).name for name in names if Path(name).name[0].isdigit())


def find_version_before() -> str:
    """The newest version whose migrations are the first of today's, and older than those needed."""
    today = list_migrations("HEAD")
    log = git("log", "--first-parent", "--format=%H", "--", "migrations/versions")
    for commit in log.decode().split():
        before = list_migrations(f"{commit}^")
        if before and before == today[: len(before)] and before[-1] < NEEDED:
            return f"{commit}^"
    pytest.skip("no migration is newer than the baseline")


@pytest.fixture
def code_before(tmp_path: Path) -> Path:
    archive = git("archive", find_version_before())
    folder = tmp_path / "before"
    folder.mkdir()
    subprocess.run(["tar", "x", "-C", folder], input=archive, check=True)
    newest = max(path.name for path in folder.glob("migrations/versions/[0-9]*.py"))
    assert newest < NEEDED
    return folder


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with running_openai_server() as server:
        answer_well(server)
        yield server


class Talk:
    """One conversation that goes on, at whichever site serves."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.rounds = 0
        self.id: str | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._error: Exception | None = None
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._ended.wait(BETWEEN_ROUNDS_S):
                self.say()
        except Exception as exc:  # told by `end`
            self._error = exc

    def say(self) -> None:
        self.id = str(self.site.chat(f"This is round {self.rounds}.", self.id)["conversation_id"])
        self.rounds += 1

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        if self._error is not None:
            raise self._error


@dataclass(frozen=True)
class Place:
    """What both versions share."""

    owner_url: str
    environment: dict[str, str]
    product: Product

    def migrate(self, code: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "migrations", *arguments]
        environment = os.environ | self.environment | {"MIGRATION_DATABASE_URL": self.owner_url}
        subprocess.run(command, cwd=code, env=environment, check=True, timeout=60)


@pytest.fixture
def place(
    services: Services, empty_database_url: str, redis_url: str, model: FakeOpenAI, tmp_path: Path
) -> Iterator[Place]:
    environment = (
        environment_of(services, empty_database_url)
        | SHORT_LEASE
        | {
            "LLM_MODEL": "fake-model",
            "LLM_API_BASE": model.base_url,
            "LLM_API_KEY": "sk-test",
        }
    )
    settings = read_settings(
        database_url=empty_database_url, redis_url=redis_url, data_dir=tmp_path
    )
    product = Product(settings)
    yield Place(empty_database_url, environment, product)
    product.close()


def test_a_new_version_takes_over_while_the_one_before_serves(
    code_before: Path, place: Place, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path / "data" / "before"  # with an export of its own: the model's form may differ
    data.mkdir(parents=True)
    place.migrate(code_before)
    with running_site(place.environment, data, *PROCESSES, code=code_before) as before:
        talk = Talk(before)
        wait_for(lambda: talk.rounds >= 2, DONE_S, before.log("web"))
        place.migrate(ROOT, "upgrade", "before")
        with running_site(place.environment, tmp_path_factory.mktemp("new"), "web") as new:
            assert before.get("/readyz")["schema"] == new.get("/readyz")["schema"]
            # Both serve. The jobs of both are done by workers of the version before …
            talk.site = new
            other = Talk(before)
            until = talk.rounds + 3
            wait_for(lambda: talk.rounds >= until and other.rounds >= 3, DONE_S)
            # … and those that are left, or cut off, by workers of the new one.
            before.kill("worker-llm")
            new.start("worker-llm", "beat")
            talk.site = before
            until = talk.rounds + 3
            wait_for(lambda: talk.rounds >= until, DONE_S)
            talk.site = other.site = new
            until, other_until = talk.rounds + 2, other.rounds + 2  # rounds before may be open
            wait_for(lambda: talk.rounds >= until and other.rounds >= other_until, DONE_S)
            before.stop()
            place.migrate(ROOT)
            talk.end()
            other.end()
            assert_nothing_is_lost(new, (talk, other), place.product)


def list_messages(site: Site, conversation_id: str | None) -> list[dict[str, Any]]:
    """All of them, oldest first, however many rounds there were time for."""
    messages: list[dict[str, Any]] = []
    has_more, before = True, ""
    while has_more:
        page = site.get(f"/api/v1/conversations/{conversation_id}/messages?limit=200{before}")
        messages = page["messages"] + messages
        has_more = page["has_more"]
        before = f"&before={messages[0]['sequence_number']}"
    return messages


def assert_nothing_is_lost(site: Site, talks: tuple[Talk, ...], product: Product) -> None:
    wait_for(lambda: not list_jobs(product, "processing"), DONE_S, site.log("worker-llm"))
    assert list_jobs(product, "failed") == []
    for talk in talks:
        messages = list_messages(site, talk.id)
        texts = [message["content"] for message in messages if message["role"] == "user"]
        assert texts == [f"This is round {number}." for number in range(talk.rounds)]
        assert {message["status"] for message in messages} == {"complete"}
    assert find_breaches(product.database, product.settings, quiet=False) == []
