"""Forget a fact everywhere: with what taught it, what says it, and what was made of these."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.user_data.erasure.test_messages import MARK, TEXTS, rows, say, site, work
from tests.integration.web.conftest import Browser, make_browser
from tests.integration.worker import work_off
from tests.waiting import wait_for

__all__ = ["make_browser", "site"]


def fact_of(browser: Browser, value: str) -> dict[str, Any]:
    facts: list[dict[str, Any]] = browser.get("/api/facts")["facts"]
    [found] = [fact for fact in facts if value in fact["value"]]
    return found


def forget(browser: Browser, fact: dict[str, Any], query: str = "") -> dict[str, Any]:
    answer = browser.client.delete(f"/api/facts/{fact['fact_id']}?{query}")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


@pytest.fixture
def told(site: Browser) -> Browser:
    """The fact is taught in one conversation, corrected in another, and told in a third."""
    say(site, *TEXTS)
    say(site, f"My boat is called {MARK}us now.", "Thank you.")
    say(site, "What is my boat called?")
    assert MARK in rows(site.context.services, SAID)[0]["content"]
    return site


SAID = """
    SELECT content FROM messages
    WHERE role = 'assistant' AND conversation_id = (
        SELECT conversation_id FROM conversations ORDER BY created_at DESC LIMIT 1)
"""


def test_a_preview_names_what_goes_and_nothing_goes(told: Browser) -> None:
    fact = fact_of(told, MARK)
    before = len(find_text(told.context.services, MARK))
    preview = forget(told, fact, "everywhere=true&dry_run=true")
    assert (preview["deleted"], preview["dry_run"], preview["mentions_left"]) == (False, True, 0)
    texts = [message["text"] for message in preview["messages"]]
    assert f"My boat is called {MARK}." in texts
    assert f"My boat is called {MARK}us now." in texts
    assert preview["counts"]["messages"] == len(texts) == 5
    assert len(find_text(told.context.services, MARK)) == before
    assert fact_of(told, MARK) == fact


def test_nothing_is_left_of_it_anywhere_also_when_the_jobs_are_done_again(told: Browser) -> None:
    product = told.context.services
    receipt = forget(told, fact_of(told, MARK), "everywhere=true")
    assert receipt["deleted"]
    assert "text" not in receipt["messages"][0]
    assert find_text(product, MARK) == []
    work_off(product)
    work(product)
    assert find_text(product, MARK) == []
    assert MARK not in told.chat("What is my boat called?").get_json()["reply"]


def test_other_messages_that_mention_the_value_stay_and_are_counted(told: Browser) -> None:
    say(told, f"A bark beetle is {MARK}us, is it not?")
    receipt = forget(told, fact_of(told, MARK), "everywhere=true")
    assert receipt["mentions_left"] >= 1
    assert told.get(f"/api/search?q={MARK}us")["messages"] != []


def test_without_everywhere_the_messages_stay(told: Browser) -> None:
    receipt = forget(told, fact_of(told, MARK))
    assert receipt["counts"]["facts"] == 2
    assert "messages" not in receipt["counts"]
    assert told.get(f"/api/search?q={MARK}")["messages"] != []


def test_a_stated_fact_that_no_message_taught_goes_alone(site: Browser) -> None:
    body = {"category": "identity", "key": "boat_name", "value": MARK}
    fact = site.client.post("/api/facts", json=body).get_json()
    preview = forget(site, fact, "everywhere=true&dry_run=true")
    assert "messages" not in preview
    forget(site, fact, "everywhere=true")
    assert find_text(site.context.services, MARK) == []
    wait_for(lambda: site.get("/api/facts")["facts"] == [])
