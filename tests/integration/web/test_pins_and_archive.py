"""Pinned and archived conversations over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import conversations_of, dialogue, send, whole_text_of

pytestmark = pytest.mark.newcomers


def begin(browser: Browser, *messages: str) -> list[str]:
    return [browser.chat(message).get_json()["conversation_id"] for message in messages]


def change(browser: Browser, conversation_id: str, **changes: object) -> Any:
    answer = browser.client.patch(f"/api/v1/conversations/{conversation_id}", json=changes)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def listed(browser: Browser, query: str = "") -> list[str]:
    conversations = browser.get(f"/api/v1/conversations{query}")["conversations"]
    return [conversation["conversation_id"] for conversation in conversations]


def test_a_pin_and_the_archive_change_nothing_else(browser: Browser) -> None:
    [conversation_id] = begin(browser, "Hello")
    [before] = conversations_of(browser)
    assert (before["pinned"], before["archived"]) == (False, False)
    changed = change(browser, conversation_id, pinned=True)
    assert (changed["pinned"], changed["archived"], changed["mode"]) == (True, False, "active")
    changed = change(browser, conversation_id, archived=True, title="Greetings")
    assert (changed["pinned"], changed["archived"]) == (True, True)
    change(browser, conversation_id, archived=False)
    [after] = conversations_of(browser)
    assert after == before | {"pinned": True, "title": "Greetings"}


def test_archived_ones_have_a_list_of_their_own(browser: Browser) -> None:
    first, second, third = begin(browser, "One", "Two", "Three")
    change(browser, second, archived=True)
    assert listed(browser) == [third, first]
    assert listed(browser, "?archived=true") == [second]
    assert browser.messages(second)[0]["content"] == "Two"
    assert browser.get(f"/api/v1/conversations/{second}/messages")["archived"] is True
    conversations = browser.get("/api/v1/search?q=Two")["conversations"]
    assert [conversation["conversation_id"] for conversation in conversations] == [second]


def test_pinned_ones_can_be_listed_alone_page_by_page(browser: Browser) -> None:
    ids = begin(browser, "One", "Two", "Three", "Four")
    for conversation_id in ids[:3]:
        change(browser, conversation_id, pinned=True)
    change(browser, ids[1], archived=True)
    page = browser.get("/api/v1/conversations?pinned=true&limit=1")
    assert [conversation["conversation_id"] for conversation in page["conversations"]] == [ids[2]]
    assert listed(browser, f"?pinned=true&limit=1&cursor={page['next_cursor']}") == [ids[0]]
    assert listed(browser, "?pinned=true&archived=true") == [ids[1]]
    other = browser.client.get(f"/api/v1/conversations?cursor={page['next_cursor']}")
    assert other.status_code == 400  # a cursor is good for its own filters


OPENS: dict[str, Callable[[Browser, str], Any]] = {
    "a message": lambda browser, conversation_id: browser.chat(
        "More", conversation_id=conversation_id
    ),
    "an edit": lambda browser, conversation_id: browser.client.post(
        f"/chat/{conversation_id}/0/edit", json={"message": "Other words"}
    ),
    "a reply written again": lambda browser, conversation_id: browser.client.post(
        f"/chat/{conversation_id}/1/retry", json={}
    ),
}


@pytest.mark.parametrize("name", OPENS)
def test_a_round_brings_an_archived_conversation_back(browser: Browser, name: str) -> None:
    [conversation_id] = begin(browser, "Hello")
    change(browser, conversation_id, archived=True)
    assert OPENS[name](browser, conversation_id).status_code == 200
    assert listed(browser) == [conversation_id]
    assert listed(browser, "?archived=true") == []


def test_a_branch_brings_its_archived_chat_back(browser: Browser) -> None:
    [conversation_id] = begin(browser, "Hello")
    browser.chat("More", conversation_id=conversation_id)
    change(browser, conversation_id, archived=True, pinned=True)
    answer = browser.client.post(f"/chat/{conversation_id}/2/branch", json={"message": "Less"})
    [chat] = conversations_of(browser)
    assert chat["conversation_id"] == answer.get_json()["conversation_id"]
    assert (chat["pinned"], chat["archived"]) == (True, False)
    assert listed(browser, "?archived=true") == []


@pytest.mark.parametrize("body", [{"pinned": "yes"}, {"archived": 1}])
def test_only_true_and_false_are_taken(browser: Browser, body: dict[str, object]) -> None:
    [conversation_id] = begin(browser, "Hello")
    assert (
        browser.client.patch(f"/api/v1/conversations/{conversation_id}", json=body).status_code
        == 400
    )
    assert browser.client.get("/api/v1/conversations?archived=1").status_code == 400


def test_exports_and_imports_keep_both(browser: Browser) -> None:
    send(browser, dialogue(is_pinned=True, is_archived=True))
    [archived] = browser.get("/api/v1/conversations?archived=true")["conversations"]
    assert (archived["title"], archived["pinned"]) == ("A dialogue", True)
    [exported] = json.loads(whole_text_of(browser))["conversations"]
    assert (exported["is_pinned"], exported["is_archived"]) == (True, True)
