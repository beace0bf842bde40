"""Webhooks from a real worker to a real receiver, through kills and losses. One site for all."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg2
import pytest
import redis

from shared.events.delivery import SPARE_S, WEBHOOK_TIMEOUT_S
from tests.e2e.conftest import environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.webhook_receiver import Receiver, blocking, running_receiver, status
from tests.integration.events.webhooks import DUE
from tests.services import Services, owner_url
from tests.waiting import wait_for

REDIS = 9  # of this site alone
SETTINGS = {"WEB_CONCURRENCY": "1"}
LEASE_S = WEBHOOK_TIMEOUT_S + SPARE_S
PATIENCE_S = 3 * LEASE_S


@dataclass
class Workshop:
    site: Site
    redis_url: str

    def subscribe(self, receiver: Receiver, **fields: object) -> str:
        webhook = self.site.post("/api/v1/webhooks", {"url": receiver.url} | fields)
        return str(webhook["secret"])

    def learn(self, value: str) -> None:
        fact = {"category": "identity", "key": "shoe_size", "value": value}
        self.site.post("/api/v1/facts", fact)

    def make_due(self) -> None:
        """Let no test wait for a later try, which comes after minutes."""
        url = owner_url(self.site.environment["DATABASE_URL"])
        with closing(psycopg2.connect(url)) as connection, connection:
            connection.cursor().execute(DUE)

    def forget_webhooks(self) -> None:
        for webhook in self.site.get("/api/v1/webhooks")["webhooks"]:
            url = f"{self.site.url}/api/v1/webhooks/{webhook['webhook_id']}"
            httpx.delete(url, timeout=60).raise_for_status()


@pytest.fixture(scope="module")
def running(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    folder: Path = tmp_path_factory.mktemp("webhooks")
    with services.databases.lend() as url:
        environment = environment_of(services, url, REDIS) | SETTINGS
        with running_site(environment, folder, "web", "worker-llm", "beat") as site:
            yield Workshop(site, environment["REDIS_URL"])


@pytest.fixture
def shop(running: Workshop) -> Iterator[Workshop]:
    yield running
    running.forget_webhooks()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running_receiver() as server:
        yield server


def test_what_a_conversation_teaches_reaches_the_receiver_signed(
    shop: Workshop, receiver: Receiver
) -> None:
    secret = shop.subscribe(receiver, with_text=True)
    reply = shop.site.chat("My name is Xylander.")
    wait_for(lambda: receiver.received, PATIENCE_S, shop.site.log("worker-llm"))
    event = receiver.received[0].verified(secret)
    assert event["type"] == "fact.learned"
    assert event["data"]["conversation_id"] == reply["conversation_id"]
    assert event["data"]["fact"]["value"] == "Xylander"
    for name in ("web", "worker-llm"):
        assert "Xylander" not in shop.site.log_path(name).read_text()


def test_failures_are_tried_again_until_one_try_succeeds(
    shop: Workshop, receiver: Receiver
) -> None:
    receiver.answer(status(500), status(200))
    shop.subscribe(receiver)
    shop.learn("38")
    wait_for(lambda: is_done(shop), PATIENCE_S, shop.site.log("worker-llm"))
    assert len(receiver.received) >= 2  # more, if an answer came too late on a busy machine
    assert len(set(receiver.ids)) == 1


def test_a_worker_that_is_killed_in_the_middle_of_a_delivery_loses_nothing(
    shop: Workshop, receiver: Receiver
) -> None:
    began, release = threading.Event(), threading.Event()
    receiver.answer(blocking(began, release), status(200))
    shop.subscribe(receiver)
    shop.learn("39")
    shop.learn("40")
    assert began.wait(PATIENCE_S)
    shop.site.kill("worker-llm")
    release.set()
    with redis.Redis.from_url(shop.redis_url) as client:
        client.flushdb()  # the tasks are lost as well
    shop.site.start("worker-llm")
    wait_for(lambda: is_done(shop), PATIENCE_S, shop.site.log("worker-llm"))
    assert len(receiver.received) >= 3  # more, if the other one was also sent before the kill
    assert len(set(receiver.ids)) == 2


def is_done(shop: Workshop) -> bool:
    shop.make_due()
    [webhook] = shop.site.get("/api/v1/webhooks")["webhooks"]
    assert webhook["deliveries"]["dead"] == 0
    return bool(webhook["deliveries"]["pending"] == 0 and webhook["deliveries"]["delivered"])
