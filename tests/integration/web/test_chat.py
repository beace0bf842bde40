"""Rounds over HTTP: what is kept, what the model is given, what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrations import newest_revision
from shared.db import fetch_row
from tests.fakes.openai_json import words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.refusals import code_of, message_of
from tests.services import as_owner
from tests.waiting import wait_for
from web.requests.forms import MAX_MESSAGE_CHARS

NOBODYS = "00000000-0000-0000-0000-000000000000"


def test_a_message_gets_a_reply_and_both_are_kept(browser: Browser) -> None:
    answer = browser.chat("Hello, my name is Alexander.")
    body = answer.get_json()
    assert answer.status_code == 200
    assert body["model"] == "offline/extractive"
    assert body["provider"] == "offline"
    assert answer.headers["X-Conversation-Id"] == body["conversation_id"]
    messages = browser.messages(body["conversation_id"])
    assert [(m["role"], m["status"]) for m in messages] == [
        ("user", "complete"),
        ("assistant", "complete"),
    ]
    assert messages[1]["content"] == body["reply"]


def test_the_next_round_is_given_the_gap_and_the_current_message(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(text="Nice to meet you."), Scripted(text="Alexander."))
    first = wired.chat("My name is Alexander.").get_json()
    wired.chat("What is my name?", conversation_id=first["conversation_id"])
    body = openai_server.requests[-1].body
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "user"]
    assert words_of(body) == [
        "My name is Alexander.",
        "Nice to meet you.",
        "What is my name?",
    ]


def test_the_gap_comes_from_postgres_when_redis_has_lost_it(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    first = wired.chat("My name is Alexander.").get_json()
    short_term = wired.context.services.short_term
    wait_for(lambda: short_term.list_turns(first["conversation_id"]))
    wired.context.services.redis.flushdb()
    wired.chat("What is my name?", conversation_id=first["conversation_id"])
    assert len(openai_server.requests[-1].body["messages"]) == 4
    wait_for(lambda: len(short_term.list_turns(first["conversation_id"])) == 4)


def test_without_memory_each_request_stands_alone(
    make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    forgetful = make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        enable_memory=False,
    )
    first = forgetful.chat("My name is Alexander.").get_json()
    for _ in range(3):
        forgetful.chat("What is my name?", conversation_id=first["conversation_id"])
    assert len(openai_server.requests[-1].body["messages"]) == 2
    assert len(forgetful.messages(first["conversation_id"])) == 8
    assert forgetful.get(f"/api/v1/conversations/{first['conversation_id']}/jobs")["jobs"] == []


def test_a_failed_reply_is_kept_with_its_error_and_can_be_tried_again(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(status=500))
    answer = wired.chat("Hello")
    assert answer.status_code == 503
    body = answer.get_json()
    assert body["error"]["code"] == "model_unavailable"
    conversation_id = body["conversation_id"]
    messages = wired.messages(conversation_id)
    assert [m["status"] for m in messages] == ["complete", "failed"]
    assert messages[1]["error"]
    again = wired.client.post(f"/chat/{conversation_id}/1/retry", json={"stream": False})
    assert again.get_json()["reply"] == "Hello from the fake."
    messages = wired.messages(conversation_id)
    assert [(m["status"], m["error"]) for m in messages] == [("complete", None)] * 2


def test_only_the_newest_reply_can_be_written_again(browser: Browser) -> None:
    first = browser.chat("Hello").get_json()["conversation_id"]
    browser.chat("And again", conversation_id=first)
    assert browser.client.post(f"/chat/{first}/1/retry", json={}).status_code == 409
    assert browser.client.post(f"/chat/{first}/3/retry", json={}).status_code == 200
    assert browser.client.post(f"/chat/{first}/5/retry", json={}).status_code == 404


def test_writing_a_summarised_reply_again_discards_the_summary(browser: Browser) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    for text in ("Second", "Third"):
        browser.chat(text, conversation_id=conversation_id)
    browser.client.post(f"/chat/{conversation_id}/5/retry", json={})
    rows = browser.get(f"/api/v1/conversations/{conversation_id}/summaries")["rows"]
    assert [(row["end_sequence"], row["status"]) for row in rows] == [
        (5, "processing"),
        (5, "failed"),
    ]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"message": ""}, 400, "invalid_request"),
        ({"message": " \n "}, 400, "invalid_request"),
        ({"message": "x" * (MAX_MESSAGE_CHARS + 1)}, 400, "invalid_request"),
        ({"message": "a\x00b"}, 400, "invalid_request"),
        ({"message": "\ud800"}, 400, "invalid_request"),
        ({"message": 7}, 400, "invalid_request"),
        ({}, 400, "invalid_request"),
        ([], 400, "invalid_request"),
        ({"message": "x", "stream": "yes"}, 400, "invalid_request"),
        ({"message": "x", "mode": "sometimes"}, 400, "invalid_request"),
        ({"message": "x", "agent": "nobody"}, 400, "invalid_request"),
        ({"message": "x", "agent": "../../etc/passwd"}, 400, "invalid_request"),
        ({"message": "x", "conversation_id": "seven"}, 400, "invalid_request"),
        ({"message": "x", "conversation_id": NOBODYS}, 404, "not_found"),
        ({"message": "x", "unknown": 1}, 400, "invalid_request"),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_writes_nothing(
    browser: Browser, body: object, status: int, code: str
) -> None:
    answer = browser.client.post("/chat", json=body)
    assert answer.status_code == status
    assert code_of(answer) == code
    assert message_of(answer)
    with as_owner(browser.context.services) as connection:
        row = fetch_row(
            connection,
            "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM users) AS n",
        )
    assert row is not None
    assert row["n"] == 0


def test_broken_json_and_oversized_bodies_are_refused(browser: Browser) -> None:
    broken = browser.client.post("/chat", data="{", content_type="application/json")
    assert (broken.status_code, code_of(broken)) == (400, "invalid_request")
    form = browser.client.post("/chat", data={"message": "x"})
    assert (form.status_code, code_of(form)) == (400, "invalid_request")
    huge = browser.client.post("/chat", json={"message": "x" * 2_000_000})
    assert (huge.status_code, code_of(huge)) == (413, "too_large")
    odd = browser.client.get("/chat/1/2/3")
    assert (odd.status_code, code_of(odd)) == (404, "not_found")


def test_without_redis_the_chat_goes_on(make_browser: Callable[..., Browser]) -> None:
    bare = make_browser(redis_url="redis://127.0.0.1:1/0")
    conversation_id = bare.chat("My name is Alexander.").get_json()["conversation_id"]
    events = list(bare.stream("What is my name?", conversation_id=conversation_id))
    assert events[-1][0] == "done"
    assert "Alexander" in events[-1][1]["content"]
    bare.chat("Thanks.", conversation_id=conversation_id)
    jobs = bare.get(f"/api/v1/conversations/{conversation_id}/jobs")["jobs"]
    assert "queued" in {job["state"] for job in jobs}
    assert bare.get("/readyz") == {
        "ready": True,
        "reason": None,
        "redis": False,
        "schema": newest_revision(),
    }


@pytest.mark.parametrize("query", ["before=99999999999", "before=-1", "before=x", "limit=x"])
def test_numbers_out_of_range_are_refused(browser: Browser, query: str) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    answer = browser.client.get(f"/api/v1/conversations/{conversation_id}/messages?{query}")
    assert (answer.status_code, code_of(answer)) == (400, "invalid_request")


def test_what_a_conversation_costs_is_kept_by_purpose(wired: Browser) -> None:
    conversation_id = wired.chat("Hello").get_json()["conversation_id"]
    wired.chat("And again", conversation_id=conversation_id)
    [total] = wired.get(f"/api/v1/conversations/{conversation_id}/usage")["usage"]
    assert total == {
        "purpose": "reply",
        "model": "fake-model",
        "calls": 2,
        "tokens_in": 22,
        "tokens_out": 14,
    }
