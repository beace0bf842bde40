"""A chat with branches: one entry of lists, searches and exports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.integration.web.branching import (
    branched,
    forks,
    given_facts,
    hits,
    listed,
    quoted,
    settle,
    texts,
)
from tests.integration.web.conftest import Browser
from tests.integration.web.test_rewording import say

pytestmark = pytest.mark.newcomers


def test_a_chat_is_one_entry_of_the_list(wired: Browser) -> None:
    first = say(wired, "One.", "Two.")
    other_chat = say(wired, "Elsewhere.")
    second = branched(wired, first, 2, "Second.")
    assert listed(wired) == [second, other_chat]
    wired.chat("And?", conversation_id=other_chat)
    assert listed(wired) == [other_chat, second]
    wired.chat("Three.", conversation_id=first)
    assert listed(wired) == [first, other_chat]
    page = wired.get("/api/v1/conversations?limit=1")
    assert [row["conversation_id"] for row in page["conversations"]] == [first]
    [row] = wired.get(f"/api/v1/conversations?limit=1&cursor={page['next_cursor']}")[
        "conversations"
    ]
    assert row["conversation_id"] == other_chat


def test_what_is_set_of_a_chat_holds_for_all_its_branches(wired: Browser) -> None:
    conversation_id = say(wired, "One.", "Two.")
    other = branched(wired, conversation_id, 2, "Second.")
    wired.client.post("/api/v1/projects", json={"name": "Work"})
    changes = {"title": "Numbers", "pinned": True, "project": "Work", "mode": "passive"}
    assert wired.client.patch(f"/api/v1/conversations/{other}", json=changes).status_code == 200
    third = branched(wired, other, 0, "First.")
    for each in (conversation_id, other, third):
        page = wired.get(f"/api/v1/conversations/{each}/messages")
        assert {name: page[name] for name in changes} == changes
        assert page["chat_id"] == conversation_id
    assert listed(wired, "?pinned=true") == [third]
    archived = {"archived": True}
    wired.client.patch(f"/api/v1/conversations/{conversation_id}", json=archived)
    assert (listed(wired), listed(wired, "?archived=true")) == ([], [third])


def test_a_title_that_a_job_makes_is_that_of_the_chat(browser: Browser) -> None:
    conversation_id = say(browser, "My boat is blue.", "Yes.")
    other = branched(browser, conversation_id, 2, "No.")
    settle(browser)
    titles = {
        browser.get(f"/api/v1/conversations/{each}/messages")["title"]
        for each in (conversation_id, other)
    }
    assert len(titles) == 1
    assert titles != {None}
    browser.client.delete(f"/api/v1/conversations/{conversation_id}/messages/0")
    page = browser.get(f"/api/v1/conversations/{other}/messages")
    assert page["title"] not in titles
    settle(browser)


def test_a_search_finds_a_chat_once_and_leads_into_its_branches(browser: Browser) -> None:
    conversation_id = say(browser, "My boat is called Albatross.", "It is turquoise.", "So on.")
    other = branched(browser, conversation_id, 2, "It is magenta.")
    browser.client.patch(f"/api/v1/conversations/{other}", json={"title": "Seafaring"})
    chats = browser.get("/api/v1/search?q=Seafaring")["conversations"]
    assert [chat["conversation_id"] for chat in chats] == [other]
    assert hits(browser, "turquoise") == [(conversation_id, 2)]
    assert hits(browser, "magenta") == [(other, 2)]
    assert hits(browser, "Albatross", conversation_id) == [(conversation_id, 0)]
    assert hits(browser, "magenta", conversation_id) == [(other, 2)]
    assert hits(browser, "magenta", say(browser, "Hello.")) == []


def test_what_other_branches_say_is_not_recalled(browser: Browser) -> None:
    conversation_id = say(browser, "Hello.", "My boat is called Albatross.", "So on.")
    settle(browser)
    question = "What is my boat called?"
    other = branched(browser, conversation_id, 2, question)
    assert "Albatross" not in browser.messages(other)[3]["content"]
    assert quoted(browser, other, 3) == []
    elsewhere = say(browser, question)
    assert (conversation_id, 2) in quoted(browser, elsewhere, 1)


def test_a_fact_that_only_a_reworded_message_says_is_given_elsewhere_alone(
    browser: Browser,
) -> None:
    conversation_id = say(browser, "Hello.", "I live in Oslo.", "My name is Ada.")
    settle(browser)
    other = branched(browser, conversation_id, 2, "Where do I live, and who am I?")
    assert given_facts(browser, other, 3) == {"Ada"}
    assert given_facts(browser, say(browser, "Where do I live?"), 1) == {"Ada", "Oslo"}
    browser.chat("I live in Oslo, as I said.", conversation_id=other)
    settle(browser)
    browser.chat("Where do I live?", conversation_id=other)
    assert given_facts(browser, other, 7) == {"Ada", "Oslo"}


def test_episodes_of_shared_messages_stay_where_they_are(make_browser: Any) -> None:
    browser = make_browser(episode_trigger_turns=4)
    conversation_id = say(browser, *(f"My boat number {n} is blue." for n in range(5)))
    settle(browser)
    assert browser.get(f"/api/v1/episodes?conversation_id={conversation_id}")["episodes"]
    other = branched(browser, conversation_id, 8, "What of my boats?")
    settle(browser)
    assert browser.get(f"/api/v1/episodes?conversation_id={other}")["episodes"] == []


def test_an_export_has_a_chat_with_its_branches_and_an_import_brings_them_back(
    wired: Browser,
) -> None:
    conversation_id = say(wired, "One.", "Two.")
    other = branched(wired, conversation_id, 2, "Second.")
    wired.client.patch(f"/api/v1/conversations/{other}", json={"title": "Numbers"})
    whole = json.loads(wired.client.get("/api/v1/export").text)
    path = f"/api/v1/conversations/{other}/export"
    single = json.loads(wired.client.get(f"{path}?format=json").text)
    read = wired.client.get(path).text
    assert "Those branches are not in here." in read
    assert ("Second." in read, "Two." in read) == (True, False)
    assert "Those branches are not in here." in wired.client.get(f"/c/{other}/print").text
    for document in (whole, single):
        [chat] = document["conversations"]
        [branch_of_it] = chat["branches"]
        assert (branch_of_it["branched_from"], branch_of_it["branched_at"]) == (conversation_id, 2)
        assert [m["content"] for m in branch_of_it["messages"]][::2] == ["One.", "Second."]
        [chat_id] = listed(wired)
        wired.client.delete(f"/api/v1/conversations/{chat_id}")
        report = wired.client.post("/api/v1/imports", json=document).get_json()
        assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 0}, report
        assert report["messages"] == 6
        [shown] = listed(wired)
        [(at, ids, place)] = forks(wired, shown)
        assert (at, ids[1], place) == (2, shown, 1)
        assert [texts(wired, each) for each in ids] == [["One.", "Two."], ["One.", "Second."]]
        titles = [wired.get(f"/api/v1/conversations/{each}/messages")["title"] for each in ids]
        assert titles == ["Numbers", "Numbers"]
    settle(wired)
