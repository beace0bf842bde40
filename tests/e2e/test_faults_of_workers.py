"""Workers and beat that are replaced, killed, or lose a child. One site serves all these tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from shared.broker import send_due, send_embedding
from shared.db import fetch_row
from shared.services import Services as Product
from shared.settings import read_settings
from shared.verify import find_breaches
from tests.e2e.conftest import QUICK, environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import list_jobs
from tests.services import Services
from tests.waiting import wait_for

ROUNDS = 4
JOB_S = 3.0  # shorter than a stopping worker waits, longer than its lease
START_S = 60.0
RECOVERY_S = float(QUICK["LEASE_S"]) + 10


@dataclass
class Workshop:
    """Workers and beat, the model that they ask, and the product's own parts beside them."""

    site: Site
    product: Product
    model: FakeOpenAI

    def talk(self) -> Conversing:
        talk = Conversing(self.product)
        for _ in range(ROUNDS):
            talk.round("I live in Oslo.")
        return talk

    def is_done(self) -> bool:
        """Everything, vectors too."""
        found = find_breaches(self.product.database, self.product.settings, quiet=True)
        return not list_jobs(self.product, "processing") and not found

    def most_attempts(self) -> int:
        with self.product.database.transaction() as connection:
            row = fetch_row(connection, "SELECT max(attempts) AS n FROM memory")
        return int(row["n"]) if row else 0


@pytest.fixture(scope="module")
def workshop(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    folder: Path = tmp_path_factory.mktemp("workshop")
    with services.database() as url, running_openai_server() as model:
        environment = environment_of(services, url) | {
            "LLM_MODEL": "fake-model",
            "LLM_API_BASE": model.base_url,
            "LLM_API_KEY": "sk-test",
        }
        product = Product(
            read_settings(database_url=url, redis_url=services.valkey.url, data_dir=folder)
        )
        product.redis.flushdb()
        answer_well(model)
        with running_site(environment, folder, "worker-llm", "worker-embed", "beat") as site:
            yield Workshop(site, product, model)
        product.close()


def child_of(site: Site, name: str) -> int:
    """The first process that this one has forked; 0: none yet."""
    pid = site.running[name].pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else 0


def test_a_new_version_takes_over_while_the_old_one_finishes_its_job(workshop: Workshop) -> None:
    answer_well(workshop.model, delay_s=JOB_S)
    talk = workshop.talk()
    send_due(workshop.product.broker, talk.due)
    wait_for(lambda: workshop.most_attempts() == 1, START_S, workshop.site.log("worker-llm"))
    old = workshop.site.running.pop("worker-llm")
    workshop.site.start("worker-llm")
    os.killpg(old.pid, signal.SIGTERM)
    wait_for(lambda: not list_jobs(workshop.product, "processing"), START_S)
    old.wait(START_S)
    assert workshop.most_attempts() == 1
    answer_well(workshop.model)
    assert list_jobs(workshop.product, "failed") == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for children in /proc")
def test_a_worker_child_killed_at_its_work_is_followed_by_another(workshop: Workshop) -> None:
    workshop.talk()
    child = wait_for(lambda: child_of(workshop.site, "worker-embed"), START_S)
    send_embedding(workshop.product.broker)
    os.kill(child, signal.SIGKILL)
    wait_for(workshop.is_done, 2 * START_S, workshop.site.log("worker-embed"))
    assert child_of(workshop.site, "worker-embed") not in (0, child)
    assert workshop.site.running["worker-embed"].poll() is None


def test_with_beat_killed_nothing_is_lost_and_the_next_one_sends_what_was_left(
    workshop: Workshop,
) -> None:
    workshop.site.kill("beat")
    workshop.talk()  # claimed, and the connection was cut before the send
    assert not workshop.is_done()
    workshop.site.start("beat")
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.site.log("worker-llm"))
