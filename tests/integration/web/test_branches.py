"""`POST /chat/{id}/{sequence}/branch`: an older message in other words, beside the old ones."""

from __future__ import annotations

import threading

import pytest

from tests.fakes.openai_json import words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.branching import (
    branch,
    branched,
    count,
    forks,
    hits,
    settle,
    texts,
)
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.test_rewording import NOBODYS, say
from tests.waiting import wait_for

pytestmark = pytest.mark.newcomers


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
