"""`/api/v1/facts/suggestions`: list, confirm, dismiss; and where else they show or go."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from shared.models import Candidate, ConversationId
from shared.store.facts import suggestions
from shared.store.upkeep import jobs
from tests.integration.web.conftest import Browser
from tests.integration.web.rows import row, rows
from tests.integration.web.transfers import PROXY, dialogue, send, utterance, whole_text_of
from tests.integration.worker import work_off
from tests.services import as_owner

BASE = "/api/v1/facts/suggestions"
MakeBrowser = Callable[..., Browser]


def suggest(browser: Browser, value: str = "Berlin") -> dict[str, Any]:
    """After a round of its own; as the API gives it."""
    conversation_id = browser.chat(f"Maybe {value}.").get_json()["conversation_id"]
    owner = row(browser, "SELECT user_id FROM conversations WHERE conversation_id = %(c)s",
                c=conversation_id)["user_id"]  # fmt: skip
    candidate = Candidate(
        category="identity",
        key="home_city",
        value=value,
        confidence=0.5,
        importance=0.8,
        retracts=False,
        said_at=datetime.now(UTC),
        turn=1,
        source_conversation_id=ConversationId(conversation_id),
        source_sequence=0,
    )
    with as_owner(browser.context.services) as connection:
        suggestions.suggest(connection, owner, candidate)
    return browser.get(BASE)["suggestions"][0]


def facts_of(browser: Browser) -> list[tuple[str, str]]:
    return [(fact["key"], fact["value"]) for fact in browser.get("/api/v1/facts")["facts"]]


def test_a_suggestion_names_its_message_and_is_no_fact(browser: Browser) -> None:
    suggestion = suggest(browser)
    assert (suggestion["key"], suggestion["value"]) == ("home_city", "Berlin")
    assert suggestion["source"]["sequence"] == 0
    assert facts_of(browser) == []


def test_confirmed_it_is_a_fact_and_no_suggestion(browser: Browser) -> None:
    suggestion = suggest(browser)
    answer = browser.client.post(f"{BASE}/{suggestion['suggestion_id']}/confirm", json={})
    assert (answer.status_code, answer.get_json()["value"]) == (201, "Berlin")
    assert answer.get_json()["source"] == suggestion["source"]
    assert facts_of(browser) == [("home_city", "Berlin")]
    assert browser.get(BASE)["suggestions"] == []


def test_several_are_confirmed_at_once_and_those_that_are_gone_passed_over(
    browser: Browser,
) -> None:
    ids = [suggest(browser)["suggestion_id"], 1]
    answer = browser.client.post(f"{BASE}/confirm", json={"suggestion_ids": ids})
    assert [fact["value"] for fact in answer.get_json()["facts"]] == ["Berlin"]
    assert facts_of(browser) == [("home_city", "Berlin")]
    again = browser.client.post(f"{BASE}/confirm", json={"suggestion_ids": ids})
    assert again.get_json() == {"facts": []}


def test_dismissed_it_leaves_no_text_behind(browser: Browser) -> None:
    suggestion = suggest(browser)
    assert browser.client.delete(f"{BASE}/{suggestion['suggestion_id']}").status_code == 204
    (suggestion_row,) = rows(browser, "SELECT value, source_sequence FROM fact_suggestions")
    assert suggestion_row == {"value": None, "source_sequence": None}
    assert browser.get(BASE)["suggestions"] == []


def test_what_is_not_open_cannot_be_answered(browser: Browser) -> None:
    place = f"{BASE}/{suggest(browser)['suggestion_id']}"
    assert browser.client.delete(place).status_code == 204
    assert browser.client.delete(place).status_code == 404
    assert browser.client.post(f"{place}/confirm", json={}).status_code == 404
    assert browser.client.delete(f"{BASE}/999999999999999999999").status_code == 404


def test_stating_the_fact_oneself_answers_it(browser: Browser) -> None:
    suggest(browser)
    stated = {"category": "identity", "key": "home city", "value": "Bern"}
    assert browser.client.post("/api/v1/facts", json=stated).status_code == 201
    assert browser.get(BASE)["suggestions"] == []


def test_nobody_answers_or_reads_anothers(make_browser: MakeBrowser) -> None:
    browser = make_browser(**PROXY)
    browser.client.environ_base["HTTP_X_FORWARDED_USER"] = "ada"
    place = f"{BASE}/{suggest(browser)['suggestion_id']}"
    browser.client.environ_base["HTTP_X_FORWARDED_USER"] = "bob"
    assert browser.get(BASE)["suggestions"] == []
    assert browser.client.post(f"{place}/confirm", json={}).status_code == 404
    assert browser.client.delete(place).status_code == 404


def test_it_goes_with_its_conversation_and_with_its_message(browser: Browser) -> None:
    source = suggest(browser)["source"]["conversation_id"]
    assert browser.client.delete(f"/api/v1/conversations/{source}").status_code == 200
    assert browser.get(BASE)["suggestions"] == []


def test_a_reworded_message_takes_back_what_it_suggested(browser: Browser) -> None:
    source = suggest(browser)["source"]["conversation_id"]
    answer = browser.client.post(f"/chat/{source}/0/edit", json={"message": "Hello."})
    assert answer.status_code == 200
    assert browser.get(BASE)["suggestions"] == []


def test_an_export_has_them_and_forgetting_everything_takes_them(browser: Browser) -> None:
    suggest(browser)
    (exported,) = json.loads(whole_text_of(browser))["fact_suggestions"]
    assert (exported["key"], exported["value"]) == ("home_city", "Berlin")
    assert browser.client.delete("/api/v1/me", json={"confirm": "local"}).status_code == 200
    assert rows(browser, "SELECT id FROM fact_suggestions") == []


IMPORTED = [
    utterance("user", "I live in Rome and I'm allergic to peanuts. Always answer in rhymes."),
    utterance("assistant", "Noted.", minute=1),
]


def test_what_steers_and_was_imported_waits_for_confirmation(browser: Browser) -> None:
    send(browser, [dialogue(messages=IMPORTED)])
    work_off(browser.context.services)
    assert "Rome" in {value for _, value in facts_of(browser)}
    waiting = {suggestion["category"] for suggestion in browser.get(BASE)["suggestions"]}
    categories = {fact["category"] for fact in browser.get("/api/v1/facts")["facts"]}
    assert waiting == {"constraint", "instruction"}
    assert not categories & waiting


def test_what_is_said_later_in_an_imported_conversation_counts_at_once(browser: Browser) -> None:
    send(browser, [dialogue(messages=IMPORTED)])
    work_off(browser.context.services)
    (conversation,) = browser.get("/api/v1/conversations?limit=9")["conversations"]
    conversation_id = conversation["conversation_id"]
    assert browser.chat("I'm vegetarian.", conversation_id=conversation_id).status_code == 200
    work_off(browser.context.services)
    with as_owner(browser.context.services) as connection:
        assert jobs.list_jobs(connection, conversation_id)
    assert ("diet", "vegetarian") in facts_of(browser)
