"""`POST /chat/{id}/{sequence}/edit`: the last message in other words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.db import fetch_rows
from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId
from shared.services import Services
from tests.embedding import embed_pending
from tests.fakes.openai_json import words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser, read_events
from tests.integration.worker import list_jobs, work_off
from tests.services import as_owner
from tests.waiting import wait_for
from web.requests.forms import MAX_MESSAGE_CHARS

NOBODYS = "00000000-0000-0000-0000-000000000000"
SLOW = Scripted(text="one two three four five six", piece_delay_s=0.1)


def edit(
    browser: Browser, conversation_id: str, sequence: int, message: str, **headers: str
) -> TestResponse:
    path = f"/chat/{conversation_id}/{sequence}/edit"
    return browser.client.post(path, json={"message": message}, headers=headers)


def say(browser: Browser, *texts: str) -> str:
    conversation_id: str | None = None
    for text in texts:
        place = {"conversation_id": conversation_id} if conversation_id else {}
        conversation_id = browser.chat(text, **place).get_json()["conversation_id"]
    assert conversation_id is not None
    return conversation_id


def work(product: Services) -> None:
    for due in list_jobs(product, "processing"):
        do_job(product, due.kind, due.job_id)


def facts_of(browser: Browser) -> set[str]:
    return {fact["value"] for fact in browser.get("/api/v1/facts")["facts"]}


def rows(product: Services, sql: str, **args: object) -> list[dict[str, Any]]:
    with as_owner(product) as connection:
        return [dict(row) for row in fetch_rows(connection, sql, **args)]


def test_the_last_message_is_replaced_and_answered_anew(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, "My name is Ada.", "What is two and two?")
    openai_server.script(Scripted(text="Six."))
    answer = edit(wired, conversation_id, 2, "What is three and three?")
    assert (answer.status_code, answer.get_json()["reply"]) == (200, "Six.")
    words = words_of(openai_server.requests[-1].body)
    assert words == ["My name is Ada.", "Hello from the fake.", "What is three and three?"]
    messages = wired.messages(conversation_id)
    assert [m["content"] for m in messages[2:]] == ["What is three and three?", "Six."]
    assert messages[2]["created_at"] > messages[1]["created_at"]


def test_what_was_learned_from_the_old_words_is_gone_and_the_new_are_learned(
    browser: Browser,
) -> None:
    product = browser.context.services
    conversation_id = say(
        browser, "I live in Oslo.", "And so on.", "I moved to Rome. My cat is called Tom."
    )
    work(product)
    assert facts_of(browser) == {"Rome", "Tom"}
    edit(browser, conversation_id, 4, "What do you know?")
    assert facts_of(browser) == {"Oslo"}
    assert rows(product, "SELECT value FROM structured_facts") == [{"value": "Oslo"}]
    states = {(row["end_sequence"], row["status"]) for row in _memory(browser, conversation_id)}
    assert states == {(5, "failed"), (5, "processing")}
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_what_it_took_back_holds_again(browser: Browser) -> None:
    product = browser.context.services
    conversation_id = say(browser, "I am allergic to nuts.", "I am not allergic to nuts any more.")
    work(product)
    assert facts_of(browser) == set()
    edit(browser, conversation_id, 2, "Hello again.")
    assert facts_of(browser) == {"nuts"}


def test_the_old_words_are_not_recalled_nor_found(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser()
    product = browser.context.services
    conversation_id = say(browser, "My boat is called Albatross.")
    wait_for(lambda: product.short_term.list_turns(ConversationId(conversation_id)))
    embed_pending(product)
    edit(browser, conversation_id, 0, "My boat is called Pelican.")
    assert rows(product, "SELECT 1 FROM message_embeddings") == []
    assert len(rows(product, "SELECT 1 FROM unembedded_messages")) == 2
    assert browser.get("/api/v1/search?q=Albatross")["messages"] == []
    turns = wait_for(lambda: product.short_term.list_turns(ConversationId(conversation_id)))
    assert turns[0].content == "My boat is called Pelican."
    result = browser.chat("What is my boat called?").get_json()
    assert "Albatross" not in result["reply"]


def test_the_same_edit_sent_twice_is_one_round(wired: Browser) -> None:
    conversation_id = say(wired, "Hello")
    key = {"Idempotency-Key": "edit-1"}
    first = edit(wired, conversation_id, 0, "Hello there", **key)
    again = edit(wired, conversation_id, 0, "Hello there", **key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json()["reply"] == first.get_json()["reply"]
    assert edit(wired, conversation_id, 0, "Something else", **key).status_code == 422


def test_while_a_reply_is_written_its_message_stays(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    goes_on = threading.Event()
    openai_server.script(Scripted(text=SLOW.text, goes_on=goes_on))
    events = wired.stream("Count.")
    conversation_id = next(events)[1]["conversation_id"]
    assert edit(wired, conversation_id, 0, "Do not count.").status_code == 409
    goes_on.set()
    list(events)
    assert wired.messages(conversation_id)[0]["content"] == "Count."
    assert edit(wired, conversation_id, 0, "Do not count.").status_code == 200


@pytest.mark.parametrize(
    ("sequence", "message", "status"),
    [(0, "x", 409), (1, "x", 409), (3, "x", 404), (4, "x", 404), (2, " ", 400), (2, "a\0", 400),
     (2, "x" * (MAX_MESSAGE_CHARS + 1), 400)],
)  # fmt: skip
def test_what_cannot_be_edited_stays_as_it_is(
    browser: Browser, sequence: int, message: str, status: int
) -> None:
    conversation_id = say(browser, "First.", "Second.")
    before = browser.messages(conversation_id)
    assert edit(browser, conversation_id, sequence, message).status_code == status
    assert browser.messages(conversation_id) == before
    assert edit(browser, NOBODYS, sequence, "x").status_code == 404


def test_another_ones_message_cannot_be_edited(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    result = site.client.post("/chat", json={"message": "Mine."}, headers=ada).get_json()
    assert edit(site, result["conversation_id"], 0, "Yours.", **bob).status_code == 404


def test_an_edit_is_streamed_as_a_message_is(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, "Hello")
    openai_server.script(SLOW)
    answer = wired.client.post(
        f"/chat/{conversation_id}/0/edit", json={"message": "Count.", "stream": True}
    )
    names = [name for name, _ in read_events(answer)]
    assert (names[0], names[-1]) == ("meta", "done")


def _memory(browser: Browser, conversation_id: str) -> list[dict[str, Any]]:
    summaries: list[dict[str, Any]] = browser.get(
        f"/api/v1/conversations/{conversation_id}/summaries"
    )["rows"]
    return summaries
