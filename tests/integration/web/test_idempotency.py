"""`Idempotency-Key` on `POST /chat`: sending again is no second round."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.db import fetch_row
from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser, read_events
from tests.refusals import code_of
from tests.services import as_owner

KEY = "2f1c7c6e-once"
SLOW = Scripted(text="one two three four five", piece_delay_s=0.1)
COUNTS = """
    SELECT (SELECT count(*) FROM conversations) AS conversations,
           (SELECT count(*) FROM messages) AS messages,
           (SELECT count(*) FROM fact_extractions) AS extractions,
           (SELECT count(*) FROM structured_facts) AS facts,
           (SELECT coalesce(sum(turn_count), 0) FROM users)::int AS turns
"""


def send(browser: Browser, message: str = "I live in Oslo.", **fields: object) -> TestResponse:
    key = {"Idempotency-Key": str(fields.pop("key", KEY))}
    client = browser.client.application.test_client()  # one a thread: a client is not shared
    return client.post("/chat", json={"message": message} | fields, headers=key)


def counts(services: Services) -> dict[str, Any]:
    with as_owner(services) as connection:
        return dict(fetch_row(connection, COUNTS) or {})


def read_facts(services: Services) -> None:
    with as_owner(services) as connection:
        row = fetch_row(connection, "SELECT id FROM fact_extractions WHERE status = 'processing'")
    assert row is not None
    do_job(services, "facts", row["id"])


def test_four_sends_at_once_are_one_round_one_fact_and_one_answer(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    fact = {"category": "identity", "key": "city", "value": "Oslo"}
    sure = {
        "confidence": 1.0,
        "importance": 0.9,
        "seq": 0,
        "whose": "user",
        "how": "stated",
        "when": "now",
    }
    openai_server.by_task["facts"] = Scripted(text=json.dumps({"facts": [fact | sure]}))
    openai_server.script(SLOW)
    elsewhere = make_browser()
    together = Barrier(4)

    def post(browser: Browser) -> TestResponse:
        together.wait()
        return send(browser)

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(post, [wired, wired, elsewhere, elsewhere]))
    assert [answer.status_code for answer in answers] == [200] * 4
    bodies = [answer.get_json() for answer in answers]
    assert bodies.count(bodies[0]) == 4
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 3
    services = wired.context.services
    read_facts(services)
    assert counts(services) == {
        "conversations": 1, "messages": 2, "extractions": 1, "facts": 1, "turns": 1,
    }  # fmt: skip
    assert find_breaches(services.database, services.settings, quiet=False) == []


def test_a_key_that_comes_back_later_gets_the_kept_reply(browser: Browser) -> None:
    first = send(browser)
    conversation_id = first.get_json()["conversation_id"]
    before = counts(browser.context.services)
    again = send(browser)
    assert again.get_json() == first.get_json()
    assert send(browser, conversation_id=conversation_id).get_json() == first.get_json()
    events = list(read_events(send(browser, stream=True)))
    assert events[-1][0] == "done"
    assert events[-1][1]["content"] == first.get_json()["reply"]
    assert counts(browser.context.services) == before


@pytest.mark.parametrize("fields", [{"message": "I live in Rome."}, {"conversation_id": "other"}])
def test_a_key_with_another_body_is_refused(browser: Browser, fields: dict[str, str]) -> None:
    other = browser.chat("Elsewhere").get_json()["conversation_id"]
    send(browser)
    before = counts(browser.context.services)
    if "conversation_id" in fields:
        fields = {"conversation_id": other}
    refused = send(browser, **fields)
    assert refused.status_code == 422
    assert code_of(refused) == "idempotency_key_reused"
    assert counts(browser.context.services) == before


def test_a_failed_round_stays_failed_under_its_key(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(status=500))
    assert send(wired).status_code == 503
    again = send(wired)
    assert again.status_code >= 500
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(openai_server.requests) == 1


def test_the_same_key_may_be_used_once_the_conversation_is_gone(browser: Browser) -> None:
    conversation_id = send(browser).get_json()["conversation_id"]
    assert (
        browser.client.delete(f"/api/v1/conversations/{conversation_id}", json={}).status_code < 300
    )
    assert send(browser).get_json()["conversation_id"] != conversation_id


@pytest.mark.parametrize("key", ["", "k" * 256, "tab\there", "höchst"])
def test_a_key_that_is_none_is_refused(browser: Browser, key: str) -> None:
    assert send(browser, key=key).status_code == 400
    assert counts(browser.context.services)["messages"] == 0
