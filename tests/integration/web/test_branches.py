"""`POST /chat/{id}/{sequence}/branch`: an older message in other words, beside the old ones."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.db import fetch_rows
from shared.maintenance.verify import find_breaches
from tests.embedding import embed_pending
from tests.fakes.openai_json import words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.test_rewording import NOBODYS, say
from tests.integration.worker import work_off
from tests.services import as_owner
from tests.waiting import wait_for

pytestmark = pytest.mark.newcomers


def branch(
    browser: Browser, conversation_id: str, sequence: int, text: str, **headers: str
) -> TestResponse:
    path = f"/chat/{conversation_id}/{sequence}/branch"
    return browser.client.post(path, json={"message": text}, headers=headers)


def branched(browser: Browser, conversation_id: str, sequence: int, text: str) -> str:
    answer = branch(browser, conversation_id, sequence, text)
    assert answer.status_code == 200, answer.text
    return str(answer.get_json()["conversation_id"])


def texts(browser: Browser, conversation_id: str) -> list[str]:
    return [m["content"] for m in browser.messages(conversation_id) if m["role"] == "user"]


def forks(browser: Browser, conversation_id: str) -> list[tuple[int, list[str], int]]:
    rows = browser.get(f"/api/v1/conversations/{conversation_id}/messages")["forks"]
    return [(fork["sequence"], fork["branches"], fork["current"]) for fork in rows]


def settle(browser: Browser) -> None:
    """All jobs are done, all messages embedded, and nothing is broken."""
    product = browser.context.services
    browser.context.runner.drain(5)
    work_off(product)
    embed_pending(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def listed(browser: Browser, query: str = "") -> list[str]:
    rows = browser.get(f"/api/v1/conversations{query}")["conversations"]
    return [row["conversation_id"] for row in rows]


def hits(browser: Browser, query: str, within: str | None = None) -> list[tuple[str, int]]:
    """The messages with the words."""
    only = f"&conversation_id={within}" if within else ""
    found = browser.get(f"/api/v1/search?q={query}&role=user{only}")["messages"]
    return [
        (hit["conversation_id"], hit["sequence_number"]) for hit in found if hit["match"] == "exact"
    ]


def trace_of(browser: Browser, conversation_id: str, sequence: int) -> dict[str, Any]:
    path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/trace"
    trace: dict[str, Any] = browser.get(path)["trace"]
    return trace


def quoted(browser: Browser, conversation_id: str, sequence: int) -> list[tuple[str, int]]:
    messages = trace_of(browser, conversation_id, sequence)["messages"]
    return [(message["conversation_id"], message["sequence"]) for message in messages]


def given_facts(browser: Browser, conversation_id: str, sequence: int) -> set[str]:
    return {fact["value"] for fact in trace_of(browser, conversation_id, sequence)["facts"]}


def count(browser: Browser, sql: str, **args: object) -> int:
    with as_owner(browser.context.services) as connection:
        [row] = fetch_rows(connection, sql, **args)
    return int(row["count"])


def test_a_branch_shares_what_was_said_before(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, "One.", "Two.", "Three.")
    openai_server.script(Scripted(text="Of course."))
    other = branched(wired, conversation_id, 2, "Second.")
    words = words_of(openai_server.requests[-1].body)
    assert words == ["One.", "Hello from the fake.", "Second."]
    assert texts(wired, conversation_id) == ["One.", "Two.", "Three."]
    assert texts(wired, other) == ["One.", "Second."]
    assert (
        wired.messages(other)[0]["created_at"] == wired.messages(conversation_id)[0]["created_at"]
    )
    assert wired.messages(other)[3]["content"] == "Of course."
    assert forks(wired, conversation_id) == [(2, [conversation_id, other], 0)]
    assert forks(wired, other) == [(2, [conversation_id, other], 1)]


def test_a_branch_of_a_copy_hangs_on_the_original(wired: Browser) -> None:
    conversation_id = say(wired, "One.", "Two.", "Three.")
    second = branched(wired, conversation_id, 4, "Third.")
    third = branched(wired, second, 2, "Second.")
    assert texts(wired, third) == ["One.", "Second."]
    assert forks(wired, conversation_id) == [
        (2, [conversation_id, third], 0),
        (4, [conversation_id, second], 0),
    ]
    assert forks(wired, second) == [(2, [second, third], 0), (4, [conversation_id, second], 1)]


def test_the_first_message_can_begin_a_branch(wired: Browser) -> None:
    conversation_id = say(wired, "One.", "Two.")
    other = branched(wired, conversation_id, 0, "First.")
    assert texts(wired, other) == ["First."]
    assert forks(wired, conversation_id) == [(0, [conversation_id, other], 0)]


@pytest.mark.parametrize(("sequence", "status"), [(1, 404), (6, 404), (9, 404)])
def test_only_a_message_of_the_users_begins_one(wired: Browser, sequence: int, status: int) -> None:
    conversation_id = say(wired, "One.", "Two.", "Three.")
    assert branch(wired, conversation_id, sequence, "x").status_code == status
    assert branch(wired, NOBODYS, 0, "x").status_code == 404
    assert branch(wired, conversation_id, 2, " ").status_code == 400
    assert len(wired.get("/api/v1/conversations")["conversations"]) == 1


def test_the_same_branch_sent_twice_is_one(wired: Browser) -> None:
    conversation_id = say(wired, "One.", "Two.")
    key = {"Idempotency-Key": "branch-1"}
    first = branch(wired, conversation_id, 0, "First.", **key).get_json()
    again = branch(wired, conversation_id, 0, "First.", **key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json()["conversation_id"] == first["conversation_id"]
    assert branch(wired, conversation_id, 0, "Another.", **key).status_code == 422
    assert len(forks(wired, conversation_id)[0][1]) == 2


def test_a_branch_is_streamed_under_its_own_id(wired: Browser) -> None:
    conversation_id = say(wired, "One.", "Two.")
    body = {"message": "First.", "stream": True}
    answer = wired.client.post(f"/chat/{conversation_id}/0/branch", json=body)
    events = list(read_events(answer))
    assert (events[0][0], events[-1][0]) == ("meta", "done")
    assert events[0][1]["conversation_id"] not in {conversation_id, None}
    assert events[0][1]["user_sequence"] == 0


def test_a_branch_may_begin_while_a_reply_is_written(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, "One.")
    goes_on = threading.Event()
    openai_server.script(Scripted(text="one two three four", goes_on=goes_on))
    events = wired.stream("Count.", conversation_id=conversation_id)
    next(events)
    wait_for(lambda: openai_server.models == ["fake-model"] * 2)  # this is the reply that waits
    other = branched(wired, conversation_id, 0, "First.")
    goes_on.set()
    list(events)
    assert texts(wired, conversation_id) == ["One.", "Count."]
    assert texts(wired, other) == ["First."]


def test_facts_are_learned_once_and_found_from_both(browser: Browser) -> None:
    conversation_id = say(browser, "My name is Ada.", "I live in Oslo.", "And so on.")
    settle(browser)
    other = branched(browser, conversation_id, 2, "My cat is called Tom.")
    settle(browser)
    facts = {f["value"]: f["source"] for f in browser.get("/api/v1/facts")["facts"]}
    assert facts.keys() == {"Ada", "Oslo", "Tom"}
    assert facts["Ada"] == {"conversation_id": conversation_id, "sequence": 0}
    assert facts["Tom"] == {"conversation_id": other, "sequence": 2}


def test_a_branch_begins_with_the_summary_of_what_it_shares(browser: Browser) -> None:
    conversation_id = say(browser, *(f"I bought {number} boats." for number in range(3)))
    settle(browser)
    say_more = [browser.chat(f"Number {n}.", conversation_id=conversation_id) for n in range(6)]
    assert all(answer.status_code == 200 for answer in say_more)
    settle(browser)
    other = branched(browser, conversation_id, 8, "Something else.")
    rows = browser.get(f"/api/v1/conversations/{other}/summaries")
    spans = [(row["start_sequence"], row["end_sequence"]) for row in rows["rows"]]
    assert spans[-1][1] <= 7 or spans[0][1] <= 7
    settle(browser)


def test_shared_messages_are_found_once(browser: Browser) -> None:
    conversation_id = say(browser, "My boat is called Albatross.", "It is blue.", "And so on.")
    sql = "SELECT count(*) FROM unembedded_messages"
    before = count(browser, sql)
    other = branched(browser, conversation_id, 4, "And it is old.")
    assert count(browser, sql) == before + 2  # its own, and no copy
    settle(browser)
    browser.chat("Old indeed.", conversation_id=other)
    for query in ("Albatross", "batros"):
        assert hits(browser, query) == [(other, 0)]
    assert hits(browser, "blue") == [(other, 2)]


def test_what_a_branch_has_word_for_word_is_not_quoted(browser: Browser) -> None:
    conversation_id = say(browser, "My boat is called Albatross.", "It is blue.", "And so on.")
    settle(browser)
    answer = branch(browser, conversation_id, 4, "What is my boat called?").get_json()
    path = f"/api/v1/conversations/{answer['conversation_id']}/messages/5/trace"
    trace = browser.get(path)["trace"]
    assert trace["messages"] == []
    assert "Albatross" in answer["reply"]


def test_a_message_deleted_in_one_is_deleted_in_all(browser: Browser) -> None:
    conversation_id = say(browser, "My boat is called Xylophone.", "It is blue.", "And so on.")
    other = branched(browser, conversation_id, 2, "It is red.")
    third = branched(browser, other, 2, "It is green.")
    settle(browser)
    path = f"/api/v1/conversations/{third}/messages/0?round=true"
    assert browser.client.delete(path).get_json()["counts"]["messages"] == 2
    for conversation in (conversation_id, other, third):
        assert [m["deleted"] for m in browser.messages(conversation)[:2]] == [True, True]
    settle(browser)
    assert find_text(browser.context.services, "Xylophone") == []


def test_a_fact_forgotten_everywhere_goes_from_all(browser: Browser) -> None:
    conversation_id = say(browser, "I live in Reykjavik.", "It is cold.", "And so on.")
    settle(browser)
    branched(browser, conversation_id, 2, "It is warm.")
    settle(browser)
    [fact] = [f for f in browser.get("/api/v1/facts")["facts"] if f["value"] == "Reykjavik"]
    browser.client.delete(f"/api/v1/facts/{fact['fact_id']}?everywhere=true")
    settle(browser)
    assert find_text(browser.context.services, "Reykjavik") == []


def test_a_chat_is_deleted_with_all_its_branches(browser: Browser) -> None:
    conversation_id = say(browser, "My name is Ada.", "What is a quokka?", "And so on.")
    second = branched(browser, conversation_id, 2, "It is red.")
    third = branched(browser, second, 2, "It is green.")
    settle(browser)
    path = f"/api/v1/conversations/{second}"
    counts = browser.client.delete(f"{path}?dry_run=true").get_json()["counts"]
    assert (counts["conversations"], counts["messages"]) == (1, 10)
    assert browser.client.delete(path).status_code == 200
    settle(browser)
    for gone in (conversation_id, second, third):
        messages = f"/api/v1/conversations/{gone}/messages"
        assert browser.client.get(messages).status_code == 404
    assert find_text(browser.context.services, "quokka") == []
    assert [f["value"] for f in browser.get("/api/v1/facts")["facts"]] == ["Ada"]


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
    changes = {"title": "Numbers", "pinned": True, "folder": "Work", "mode": "passive"}
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
    found = browser.get("/api/v1/search?q=Seafaring")["conversations"]
    assert [chat["conversation_id"] for chat in found] == [other]
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
