"""Traces are shown with current texts: nothing outlives what it came from."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from shared.derivations.kinds import do_job
from shared.recall import spelling as recall_spelling
from shared.store.search import spelling as stored_spelling
from tests.embedding import embed_pending
from tests.fakes.fixtures import openai_server
from tests.integration.web.conftest import Browser, make_browser
from tests.integration.web.rows import rows
from tests.integration.worker import list_jobs

__all__ = ["make_browser", "openai_server"]

PATIENCE_S = 30.0
GONE = {"gone": True}


@pytest.fixture
def browser(make_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch) -> Browser:
    """A machine that is busy corrects spelling, too."""
    monkeypatch.setattr(recall_spelling, "CORRECTING_S", PATIENCE_S)
    monkeypatch.setattr(stored_spelling, "LOOK_UP_TIMEOUT_S", PATIENCE_S)
    return make_browser(memory_window_limit=2)


def test_what_is_there_is_shown_and_what_was_deleted_is_gone(browser: Browser) -> None:
    boat = fill(browser)
    result = browser.chat("Where is my boat Albatros kept, and what is my name?").get_json()
    path = f"/api/v1/conversations/{result['conversation_id']}/messages/1/trace"
    before = browser.get(path)["trace"]
    assert {"fact", "episode", "message"} <= kinds(before)
    assert before["corrected"] == {"albatros": "albatross"}
    assert "albatross" not in stored(browser).lower()
    for fact in browser.get("/api/v1/facts")["facts"]:
        browser.client.delete(f"/api/v1/facts/{fact['fact_id']}")
    browser.client.delete(f"/api/v1/conversations/{boat}")
    after = browser.get(path)["trace"]
    assert kinds(after) == set()
    assert "albatross" not in json.dumps(after).lower()
    assert after["corrected"] == {"albatros": None}
    for name in ("facts", "episodes", "messages"):
        assert len(after[name]) == len(before[name]) > 0
        assert all(entry["gone"] for entry in after[name])


def test_what_the_reply_says_again_is_marked_and_names_its_chat(browser: Browser) -> None:
    fill(browser)
    result = browser.chat("What is my name?").get_json()
    path = f"/api/v1/conversations/{result['conversation_id']}/messages"
    reply = browser.get(path)["messages"][1]["content"]
    facts = browser.get(f"{path}/1/trace")["trace"]["facts"]
    used = {fact["value"] for fact in facts if fact["used"]}
    assert used == {fact["value"] for fact in facts if fact["value"] in reply}
    assert used
    taught = [fact for fact in facts if fact["conversation_id"]]
    assert taught
    assert all(fact["title"] for fact in taught)


def test_a_message_in_other_words_is_not_told_as_what_was_given(browser: Browser) -> None:
    boat = browser.chat("My boat is called Albatross.").get_json()["conversation_id"]
    conversation_id = browser.chat("What is my boat called?").get_json()["conversation_id"]
    path = f"/api/v1/conversations/{conversation_id}/messages/1/trace"
    message = browser.get(path)["trace"]["messages"][0]
    assert message["text"] == "My boat is called Albatross."
    assert message["said_at"] == browser.messages(boat)[0]["created_at"]
    body = {"message": "My boat is called Pelican."}
    assert browser.client.post(f"/chat/{boat}/0/edit", json=body).status_code == 200
    places = {entry["sequence"]: entry for entry in browser.get(path)["trace"]["messages"]}
    assert places[0]["gone"]


def fill(browser: Browser) -> str:
    conversation_id = browser.chat("My boat is called Albatross. My name is Ada.").get_json()[
        "conversation_id"
    ]
    for text in ("The Albatross lies in the harbour.", "Thank you.", "And good night."):
        browser.chat(text, conversation_id=conversation_id)
    product = browser.context.services
    while due := list_jobs(product, "processing"):
        for job in due:
            do_job(product, job.kind, job.job_id)
    embed_pending(product)
    return str(conversation_id)


def kinds(trace: dict[str, Any]) -> set[str]:
    """The kinds of memory of which something still exists."""
    keys = {"fact": ("facts", "value"), "episode": ("episodes", "summary"),
            "message": ("messages", "text")}  # fmt: skip
    return {
        kind for kind, (name, key) in keys.items() if any(key in entry for entry in trace[name])
    }


def stored(browser: Browser) -> str:
    return json.dumps([row["trace"] for row in rows(browser, "SELECT trace FROM messages")])
