"""A whole site behind a real PgBouncer, which lends few connections for a transaction each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx
import pytest

from shared.db import fetch_row
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from shared.settings import read_settings
from supervisor.embedded.owner import find_owner
from tests.e2e.breakable import Breakable
from tests.e2e.conftest import SHORT_LEASE, SHORT_LEASE_S, environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.fakes.pgbouncer import PGBOUNCER, running_pgbouncer, url_of
from tests.integration.faults.answers import answer_well
from tests.integration.worker import list_jobs
from tests.services import Services, as_application, as_owner, private_folder
from tests.waiting import PATIENCE_S, wait_for

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="no pgbouncer: see bin/debian-tools")

CONNECTIONS = 4  # for web, worker-llm and their threads, which have pools of 16 each
TALKS, ROUNDS = 6, 3
NEVER_S = 600.0
DONE_S = 60 + SHORT_LEASE_S
WORDS = 20
RUNNING = "SELECT count(*) AS n FROM jobs WHERE state = 'running'"


@dataclass
class Pooled:
    """A site, what it has behind the pooler, and the product beside them without one."""

    site: Site
    pooler: Breakable
    model: FakeOpenAI
    product: Product

    def is_done(self) -> bool:
        return not list_jobs(self.product, "processing")

    def count_running(self) -> int:
        with as_owner(self.product) as connection:
            return int((fetch_row(connection, RUNNING) or {"n": 0})["n"])


@pytest.fixture(scope="module")
def pooled(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pooled]:
    folder = tmp_path_factory.mktemp("pooled")
    with (
        services.databases.lend() as url,
        private_folder() as short,
        running_openai_server() as model,
        running_pgbouncer(as_application(url), short / "p", find_owner(), CONNECTIONS) as pooler,
    ):
        answer_well(model)
        environment = (
            environment_of(services, url)
            | SHORT_LEASE
            | {
                "DATABASE_URL": url_of(pooler),
                "LLM_MODEL": "fake-model",
                "LLM_API_BASE": model.base_url,
                "LLM_API_KEY": "sk-test",
            }
        )
        product = Product(
            read_settings(database_url=url, redis_url=services.valkey.url, data_dir=folder)
        )
        product.redis.flushdb()
        with running_site(environment, folder, "web", "worker-llm", "beat") as site:
            yield Pooled(site, pooler, model, product)
        product.close()


def talk(site: Site, number: int) -> str:
    conversation_id = str(site.chat(f"I live in town {number}.")["conversation_id"])
    for _ in range(ROUNDS - 1):
        site.chat(f"I live in town {number}.", conversation_id)
    return conversation_id


def end_of_summary(site: Site, conversation_id: str) -> int | None:
    end: int | None = site.get(f"/api/v1/conversations/{conversation_id}/summaries")["summary_end"]
    return end


def test_many_talk_at_once_and_all_of_it_becomes_memory(pooled: Pooled) -> None:
    site = pooled.site
    with ThreadPoolExecutor(TALKS) as threads:
        talks = [*threads.map(lambda number: talk(site, number), range(TALKS))]
    wait_for(pooled.is_done, DONE_S, site.log("worker-llm"))
    for conversation_id in talks:
        assert end_of_summary(site, conversation_id) == 2 * ROUNDS - 1
        messages = site.get(f"/api/v1/conversations/{conversation_id}/messages")["messages"]
        assert [message["status"] for message in messages] == ["complete"] * 2 * ROUNDS
        assert all(message["created_at"].endswith(("Z", "+00:00")) for message in messages)
    assert find_breaches(pooled.product.database, pooled.product.settings, quiet=False) == []


def test_a_pooler_killed_in_a_round_loses_nothing_of_it(pooled: Pooled) -> None:
    site = pooled.site
    conversation_id = talk(site, 7)
    goes_on, text = threading.Event(), "word " * WORDS
    slow = Scripted(text=text, piece_delay_s=0.1, goes_on=goes_on, held_after=WORDS // 2)
    pooled.model.script(slow)
    body = {"message": "Where do I live?", "conversation_id": conversation_id, "stream": True}
    with httpx.stream("POST", f"{site.url}/chat", json=body, timeout=60) as answer:
        lines = answer.iter_lines()
        next(line for line in lines if line.startswith("data:"))
        pooled.pooler.kill()
        assert httpx.get(f"{site.url}/readyz", timeout=PATIENCE_S).status_code == 503
        pooled.pooler.start()
        goes_on.set()
        assert any(line.startswith("event: done") for line in lines)
    messages = site.get(f"/api/v1/conversations/{conversation_id}/messages")["messages"]
    assert messages[-1]["content"] == text
    wait_for(pooled.is_done, DONE_S, site.log("worker-llm"))
    wait_for(lambda: end_of_summary(site, conversation_id) == 2 * ROUNDS + 1, DONE_S)
    assert list_jobs(pooled.product, "failed") == []


def test_a_worker_killed_in_a_job_is_followed_by_another(pooled: Pooled) -> None:
    site = pooled.site
    answer_well(pooled.model, delay_s=NEVER_S)
    conversation_id = talk(site, 8)
    wait_for(pooled.count_running, DONE_S, site.log("worker-llm"))
    site.kill("worker-llm")
    answer_well(pooled.model)
    site.start("worker-llm")
    wait_for(pooled.is_done, DONE_S, site.log("worker-llm"))
    assert end_of_summary(site, conversation_id) == 2 * ROUNDS - 1
    assert find_breaches(pooled.product.database, pooled.product.settings, quiet=False) == []
