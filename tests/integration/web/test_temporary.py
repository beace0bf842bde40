"""`POST /chat/temporary`: a chat of which nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from werkzeug.test import TestResponse

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.conftest import Browser, read_events
from tests.waiting import wait_for

MARK = "Zinnober"


def ask(browser: Browser, *texts: str, **fields: object) -> TestResponse:
    """User and assistant in turn."""
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    return browser.client.post("/chat/temporary", json={"messages": messages} | fields)


def test_the_model_gets_what_was_said_and_no_memory(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    fact = {"category": "identity", "key": "name", "value": "Ada"}
    assert wired.client.post("/api/v1/facts", json=fact).status_code == 201
    answer = ask(wired, "My cat is Tom.", "Noted.", "Who is my cat?").get_json()
    assert (answer["reply"], answer["status"]) == ("Hello from the fake.", "complete")
    system, *messages = openai_server.requests[-1].body["messages"]
    assert [message["content"] for message in messages] == [
        "My cat is Tom.",
        "Noted.",
        "Who is my cat?",
    ]
    assert system["role"] == "system"
    assert "Ada" not in system["content"]


def test_nothing_is_stored_of_it(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(Scripted(text=f"{MARK} it is."))
    assert MARK in ask(wired, f"Call me {MARK}.").get_json()["reply"]
    openai_server.script(Scripted(status=400, error=f"I refuse {MARK}."))
    assert ask(wired, f"Call me {MARK}.").status_code >= 400
    assert find_text(wired.context.services, MARK) == []
    assert wired.get("/api/v1/conversations")["conversations"] == []


def test_it_is_streamed(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(Scripted(text=f"one two {MARK}", piece_delay_s=0.05))
    answer = ask(wired, "Count.", stream=True)
    assert "X-Conversation-Id" not in answer.headers
    events = list(read_events(answer))
    assert [events[0][0], events[-1][0]] == ["meta", "done"]
    assert events[0][1]["temporary"] is True
    assert events[-1][1]["content"] == f"one two {MARK}"
    assert find_text(wired.context.services, MARK) == []


def test_who_leaves_stops_the_reply(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(Scripted(text="word " * 200, piece_delay_s=0.05))
    answer = ask(wired, "Count.", stream=True)
    events = read_events(answer)
    assert [next(events)[0] for _ in range(2)] == ["meta", "delta"]
    answer.close()
    wait_for(lambda: not wired.context.runner._live)


def test_it_counts_towards_the_quota(wired: Browser) -> None:
    ask(wired, "Hello.")
    used = {quota["name"]: quota["used"] for quota in wired.get("/api/v1/me/quotas")["quotas"]}
    assert used["rounds"] == 1


@pytest.mark.parametrize(
    "messages",
    [[], [("assistant", "x")], [("user", "x"), ("assistant", "y")], [("system", "x")],
     [("user", " ")], [("user", "a\0")]],
)  # fmt: skip
def test_what_is_no_chat_is_refused(wired: Browser, messages: Sequence[tuple[str, str]]) -> None:
    turns = [{"role": role, "content": content} for role, content in messages]
    answer = wired.client.post("/chat/temporary", json={"messages": turns})
    assert answer.status_code == 400
