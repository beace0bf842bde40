"""How much a reply was given, wherever the reply is told of."""

from __future__ import annotations

import pytest

from tests.integration.web.conftest import Browser, read_events

pytestmark = pytest.mark.newcomers

GIVEN = {"facts": 1, "episodes": 0, "messages": 0, "passages": 0, "points": 0, "cut": 0}
NAME = {"category": "identity", "key": "name", "value": "Ada"}


def test_a_reply_says_how_much_was_remembered_for_it(browser: Browser) -> None:
    assert browser.client.post("/api/v1/facts", json=NAME).status_code == 201
    answer = browser.chat("What is my name?", stream=True)
    assert list(read_events(answer))[-1][1]["remembered"] == GIVEN
    conversation_id = answer.headers["X-Conversation-Id"]
    messages = browser.messages(conversation_id)
    assert [message["remembered"] for message in messages] == [None, GIVEN]
    again = browser.client.get(f"/chat/{conversation_id}/1/stream")
    assert list(read_events(again))[-1][1]["remembered"] == GIVEN


def test_a_trace_says_which_words_were_taken_for_others(browser: Browser) -> None:
    browser.chat("My bicycle is called Rosinante.")
    conversation_id = browser.chat("What is Rosniante?").get_json()["conversation_id"]
    trace = browser.get(f"/api/v1/conversations/{conversation_id}/messages/1/trace")["trace"]
    assert trace["corrected"] == {"rosniante": "rosinante"}
    assert "My bicycle is called Rosinante." in [quote["text"] for quote in trace["messages"]]
    second_id = browser.chat("What is Rosinante?").get_json()["conversation_id"]
    trace = browser.get(f"/api/v1/conversations/{second_id}/messages/1/trace")["trace"]
    assert trace["corrected"] == {}


def test_a_reply_for_which_nothing_was_remembered_says_so(browser: Browser) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    browser.chat("And on", conversation_id=conversation_id)
    assert [message["remembered"] for message in browser.messages(conversation_id)] == [None] * 4
