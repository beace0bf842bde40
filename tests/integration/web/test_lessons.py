"""`/api/conversations/<id>/lessons`: what the messages of one conversation have taught."""

from __future__ import annotations

import pytest

from tests.integration.web.conftest import Browser
from tests.integration.web.test_suggestions import suggest
from tests.integration.worker import work_off

pytestmark = pytest.mark.newcomers


def lessons(browser: Browser, conversation_id: str) -> list[tuple[int, str, str | None]]:
    found = browser.get(f"/api/conversations/{conversation_id}/lessons")["facts"]
    return [(one["fact"]["source"]["sequence"], one["fact"]["value"], one["replaced"])
            for one in found]  # fmt: skip


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
    assert browser.client.post("/api/facts", json=stated).status_code == 201
    conversation_id = browser.chat("Hello.").get_json()["conversation_id"]
    assert lessons(browser, conversation_id) == []


def test_an_open_suggestion_is_listed_until_it_is_answered(browser: Browser) -> None:
    suggestion = suggest(browser)
    address = f"/api/conversations/{suggestion['source']['conversation_id']}/lessons"
    assert browser.get(address)["suggestions"] == [suggestion]
    path = f"/api/facts/suggestions/{suggestion['suggestion_id']}"
    assert browser.client.post(f"{path}/confirm", json={}).status_code == 201
    assert browser.get(address)["suggestions"] == []
    assert [one["fact"]["value"] for one in browser.get(address)["facts"]] == ["Berlin"]
