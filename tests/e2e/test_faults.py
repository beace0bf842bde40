"""Faults of processes and services, as expected events."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from shared.broker.queues import count_waiting
from shared.broker.sending import send_embedding
from shared.broker.tasks import EMBED, ROUTES
from shared.db import Database, fetch_rows
from shared.maintenance.verify import find_breaches
from shared.models.job_kinds import SUMMARY
from shared.services import Services as Product
from shared.settings import read_settings
from shared.store.upkeep.invariants import Breach
from tests.e2e.breakable import BreakableServices, breakable_services
from tests.e2e.conftest import QUICK, SHORT_LEASE, SHORT_LEASE_S, MakeSite
from tests.e2e.site import Site, running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.integration.conversing import Conversing
from tests.refusals import code_of
from tests.services import as_owner
from tests.waiting import PATIENCE_S, wait_for

PROCESSES = ("web", "worker-llm", "beat")
STAND_IN = "offline/extractive"
LONG = Scripted(text="word " * 200, piece_delay_s=0.1)
PIECES = 3  # the reader has the first at once; by the third Redis has it, too
START_S = 60
EMBEDDINGS = ROUTES[EMBED]["queue"]
LEASE = {"lease_s": SHORT_LEASE_S}
HELD = "SELECT 1 FROM memory WHERE status = 'processing' AND fencing_token = %(token)s"
RECOVERY_S = LEASE["lease_s"] + PATIENCE_S


@dataclass(frozen=True)
class Breaking:
    """A site whose processes and services a test may break. It leaves them running again."""

    site: Site
    services: BreakableServices
    model: FakeOpenAI


@pytest.fixture(scope="module")
def breaking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Breaking]:
    """It replies with the stand-in model, or with one that answers what a test scripts."""
    folder = tmp_path_factory.mktemp("breaking")
    with breakable_services() as services, running_openai_server() as model:
        environment = (
            QUICK
            | SHORT_LEASE
            | {
                "LLM_MODEL": STAND_IN,
                "LLM_FALLBACKS": FAKE_MODEL,
                "LLM_API_BASE": model.base_url,
                "LLM_API_KEY": "sk-test",
                "LLM_TRIES": "1",
            }
        )
        with running_site(services.environment | environment, folder, *PROCESSES) as site:
            yield Breaking(site, services, model)


def messages(site: Site, conversation_id: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = site.get(f"/api/v1/conversations/{conversation_id}/messages")[
        "messages"
    ]
    return rows


def open_stream(site: Site, message: str) -> tuple[httpx.Client, Iterator[str], str]:
    """A client in the middle of a reply, and the conversation's id."""
    client = httpx.Client(timeout=PATIENCE_S)
    body = {"message": message, "stream": True, "model": FAKE_MODEL}
    answer = client.send(client.build_request("POST", f"{site.url}/chat", json=body), stream=True)
    lines = answer.iter_lines()
    for _ in range(PIECES):
        next(line for line in lines if line.startswith("data:") and '"text"' in line)
    return client, lines, answer.headers["X-Conversation-Id"]


def breaches(site: Site) -> list[Breach]:
    """What must hold at any time and does not."""
    database = Database(site.environment["DATABASE_URL"], pool_size=1)
    try:
        return find_breaches(database, read_settings(), quiet=False)
    finally:
        database.close()


def summary_is_done(site: Site, conversation_id: str, end: int) -> bool:
    memory = site.get(f"/api/v1/conversations/{conversation_id}/summaries")
    return bool(memory["summary_end"] == end)


def test_a_web_process_killed_mid_stream_leaves_a_partial_reply_and_the_chat_goes_on(
    breaking: Breaking,
) -> None:
    site = breaking.site
    breaking.model.script(LONG)
    client, _, conversation_id = open_stream(site, "Tell me a story.")
    site.kill("web")
    client.close()
    site.start("web")
    wait_for(lambda: messages(site, conversation_id)[1]["status"] != "streaming", RECOVERY_S)
    reply = messages(site, conversation_id)[1]
    assert reply["status"] == "partial"
    assert reply["content"].startswith("word ")
    assert site.chat("And then?", conversation_id)["sequence"] == 3
    assert breaches(site) == []


def test_a_stop_of_the_web_process_says_goodbye_and_keeps_the_part(breaking: Breaking) -> None:
    site = breaking.site
    breaking.model.script(LONG)
    client, lines, conversation_id = open_stream(site, "Tell me a story.")
    site.kill("web", signal.SIGTERM)
    assert not any(line.startswith(("event: done", "event: error")) for line in lines)
    client.close()
    site.start("web")
    reply = messages(site, conversation_id)[1]
    assert reply["status"] == "partial"
    assert reply["content"].startswith("word ")
    assert breaches(site) == []


def test_postgres_stopped_means_503_and_recovery_without_a_restart(breaking: Breaking) -> None:
    site, postgres = breaking.site, breaking.services.postgres
    conversation_id = site.chat("One")["conversation_id"]
    postgres.stop()
    refused = httpx.post(f"{site.url}/chat", json={"message": "Two"}, timeout=PATIENCE_S)
    assert refused.status_code == 503
    assert code_of(refused) == "database_unavailable"
    assert "request.no_database" in site.log("web")()
    assert httpx.get(f"{site.url}/readyz", timeout=PATIENCE_S).status_code == 503
    assert httpx.get(f"{site.url}/healthz", timeout=PATIENCE_S).status_code == 200
    postgres.start()
    wait_for(lambda: site.chat("Two", conversation_id), RECOVERY_S)
    site.chat("Three", conversation_id)
    wait_for(lambda: summary_is_done(site, conversation_id, 5), START_S, site.log("worker-llm"))
    assert [m["sequence_number"] for m in messages(site, conversation_id)] == list(range(6))
    assert breaches(site) == []


def test_redis_killed_and_wiped_loses_nothing_and_leaves_no_work_undone(breaking: Breaking) -> None:
    site, valkey = breaking.site, breaking.services.valkey
    conversation_id = site.chat("My name is Alexander.")["conversation_id"]
    valkey.kill()
    answer = site.chat("What is my name?", conversation_id)
    assert "Alexander" in answer["reply"]
    site.chat("Thank you for that.", conversation_id)
    valkey.start()

    def is_done() -> bool:
        site.revive()
        return summary_is_done(site, conversation_id, 5)

    wait_for(is_done, 90, site.log("worker-llm"))
    assert len(messages(site, conversation_id)) == 6
    assert breaches(site) == []


def test_a_worker_that_is_still_loading_its_model_frees_the_jobs_of_a_killed_one(
    make_site: MakeSite, database_url: str, redis_url: str, tmp_path: Path
) -> None:
    settings = read_settings(
        database_url=database_url, redis_url=redis_url, data_dir=tmp_path, **LEASE
    )
    product = Product(settings)
    talk = Conversing(product)
    for _ in range(4):
        talk.round("I live in Oslo.")
    site = make_site("worker-embed", "beat", EMBEDDING_MODEL=str(endless_model(tmp_path)))
    log = site.log("worker-embed")
    send_embedding(product.broker)
    wait_for(lambda: not count_waiting(product.broker, [EMBEDDINGS])[EMBEDDINGS], START_S, log)
    due = next(job for job in talk.due if job.kind == "summary")
    began = time.monotonic()
    killed = talk.begin(SUMMARY, due.job_id, settings.lease_s)
    assert killed is not None
    wait_for(lambda: not is_held(product, killed.fencing_token), RECOVERY_S, log)
    assert time.monotonic() - began > settings.lease_s - 1
    site.kill("worker-embed")  # it would not stop while it reads its model
    product.close()


def is_held(product: Product, fencing_token: int) -> bool:
    with as_owner(product) as connection:
        return bool(fetch_rows(connection, HELD, token=fencing_token))


def endless_model(folder: Path) -> Path:
    """Whose weights are a pipe that nobody writes into, so that reading them never ends."""
    model = folder / "model"
    model.mkdir()
    (model / "modules.json").write_text('[{"path": ""}]')
    os.mkfifo(model / "model.safetensors")
    return model
