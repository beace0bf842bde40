"""A server that takes less than anybody knew: the prompt gets shorter until it fits."""

from __future__ import annotations

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.refusals import code_of

TOO_LONG = Scripted(
    status=400, error="request (20030 tokens) exceeds the available context size (8192 tokens)"
)
LONG = "All that was said of the harbour, word for word. " * 60  # some 600 tokens


def size(server: FakeOpenAI, index: int) -> int:
    return sum(len(message["content"]) for message in server.requests[index].body["messages"])


def test_a_prompt_that_is_too_long_is_halved_until_it_is_taken(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    result = wired.chat(LONG).get_json()
    for _ in range(3):
        wired.chat(LONG, conversation_id=result["conversation_id"])
    openai_server.script(TOO_LONG, TOO_LONG, Scripted(text="It fits."))
    answer = wired.chat("And the ships?", conversation_id=result["conversation_id"])
    assert (answer.status_code, answer.get_json()["reply"]) == (200, "It fits.")
    assert size(openai_server, -3) > size(openai_server, -2) > size(openai_server, -1)
    last = openai_server.requests[-1].body["messages"]
    assert [message["role"] for message in last[-3:]] == ["user", "assistant", "user"]
    path = f"/api/v1/conversations/{result['conversation_id']}/messages/9/trace"
    assert wired.get(path)["trace"]["tokens"]["budget"] == 2000


def test_a_question_that_is_too_long_by_itself_is_told_so(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(*[TOO_LONG] * 4, Scripted(text="Never asked for."))
    answer = wired.chat(LONG)
    assert code_of(answer) == "input_too_long"
    assert len(openai_server.requests) == 4


def test_what_is_refused_for_another_reason_is_not_asked_again(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(status=400, error="no such parameter"))
    assert wired.chat("Hello").status_code == 502
    assert len(openai_server.requests) == 1
