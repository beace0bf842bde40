"""`/api/v1/conversations/<id>/lessons`: what the messages of one conversation have taught."""

from __future__ import annotations

import pytest

from tests.integration.web.conftest import Browser
from tests.integration.web.test_suggestions import suggest
from tests.integration.worker import work_off

pytestmark = pytest.mark.newcomers


def lessons(browser: Browser, conversation_id: str) -> list[tuple[int, str, str | None]]:
    entries = browser.get(f"/api/v1/conversations/{conversation_id}/lessons")["facts"]
    return [(entry["fact"]["source"]["sequence"], entry["fact"]["value"], entry["replaced"])
            for entry in entries]  # fmt: skip


def test_current_facts_are_listed_by_message_with_what_they_replaced(browser: Browser) -> None:
    conversation_id = browser.chat("I live in Oslo.").get_json()["conversation_id"]
    work_off(browser.context.services)
    assert lessons(browser, conversation_id) == [(0, "Oslo", None)]
    browser.chat("My name is Ada.", conversation_id=conversation_id)
    browser.chat("I moved to Bergen.", conversation_id=conversation_id)
    work_off(browser.context.services)
    assert lessons(browser, conversation_id) == [(2, "Ada", None), (4, "Bergen", "Oslo")]


def test_what_was_learned_elsewhere_or_entered_by_hand_is_not_listed(browser: Browser) -> None:
    browser.chat("I live in Oslo.")
    work_off(browser.context.services)
    stated = {"category": "preference", "key": "tea", "value": "green"}
    assert browser.client.post("/api/v1/facts", json=stated).status_code == 201
    conversation_id = browser.chat("Hello.").get_json()["conversation_id"]
    assert lessons(browser, conversation_id) == []


def test_an_open_suggestion_is_listed_until_it_is_answered(browser: Browser) -> None:
    suggestion = suggest(browser)
    address = f"/api/v1/conversations/{suggestion['source']['conversation_id']}/lessons"
    assert browser.get(address)["suggestions"] == [suggestion]
    path = f"/api/v1/facts/suggestions/{suggestion['suggestion_id']}"
    assert browser.client.post(f"{path}/confirm", json={}).status_code == 201
    assert browser.get(address)["suggestions"] == []
    assert [entry["fact"]["value"] for entry in browser.get(address)["facts"]] == ["Berlin"]


def withheld(browser: Browser, conversation_id: str) -> list[tuple[int, list[str], int]]:
    answer = browser.get(f"/api/v1/conversations/{conversation_id}/lessons")["withheld"]
    return [
        (wish["sequence"], [fact["value"] for fact in wish["forgotten"]], wish["other_count"])
        for wish in answer
    ]


def test_what_is_withheld_is_listed_until_it_is_undone(browser: Browser) -> None:
    elsewhere = browser.chat("My cat is called Gigi.").get_json()["conversation_id"]
    conversation_id = browser.chat("Don't remember this, but I live in Ulm.").get_json()[
        "conversation_id"
    ]
    assert withheld(browser, conversation_id) == [(0, [], 0)]  # at once
    work_off(browser.context.services)
    browser.chat("Please forget that my cat is called Gigi.", conversation_id=conversation_id)
    work_off(browser.context.services)
    assert withheld(browser, conversation_id) == [(0, [], 0), (2, ["Gigi"], 2)]
    assert lessons(browser, elsewhere) == []
    for sequence in (0, 2):
        path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/withholding"
        assert browser.client.delete(path, json={}).status_code == 204
        assert browser.client.delete(path, json={}).status_code == 409
    assert withheld(browser, conversation_id) == []
    assert lessons(browser, elsewhere) == [(0, "Gigi", None)]
