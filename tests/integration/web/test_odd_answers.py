"""Answers that turn out to be something else: reasoning at its end, a refusal."""

from __future__ import annotations

import json
from threading import Event
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client
from tests.integration.web.openai.test_chat import read_chunks

LATE = Scripted(text="a plan of steps\n</think>\n\nThe answer is 4.")
REFUSAL = Scripted(
    events=(
        {"choices": [{"index": 0, "delta": {"refusal": "I cannot "}}]},
        {"choices": [{"index": 0, "delta": {"refusal": "help."}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        "data: [DONE]\n\n",
    )
)


def follow(events: list[tuple[str, Any]]) -> tuple[str, str]:
    """The text and the reasoning, as a reader of the events has them in the end."""
    text = reasoning = ""
    for name, data in events:
        if name == "meta":
            text, reasoning = text[: data["offset"]], ""
        text += data["text"] if name == "delta" else ""
        reasoning += data["text"] if name == "reasoning" else ""
    return text, reasoning


def test_text_that_was_reasoning_is_taken_back(wired: Browser, openai_server: FakeOpenAI) -> None:
    goes_on = Event()
    openai_server.script(Scripted(text=LATE.text, goes_on=goes_on, held_after=3))
    stream = wired.stream()
    events = [next(stream)]
    while "plan" not in follow(events)[0]:
        events.append(next(stream))
    goes_on.set()
    events += stream
    assert follow(events) == ("The answer is 4.", "a plan of steps\n")
    _, done = events[-1]
    assert (done["content"], done["status"]) == ("The answer is 4.", "complete")
    conversation_id = events[0][1]["conversation_id"]
    assert wired.messages(conversation_id)[1]["content"] == "The answer is 4."
    trace = wired.get(f"/api/v1/conversations/{conversation_id}/messages/1/trace")["trace"]
    assert trace["reasoning"]["text"] == "a plan of steps\n"
    list(wired.stream("And?", conversation_id=conversation_id))
    assert "a plan" not in str(openai_server.requests[-1].body)


def test_a_client_gets_the_answer_alone(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(LATE)
    answer = Client(wired, "fake-model").post([{"role": "user", "content": "Hello"}]).get_json()
    message = answer["choices"][0]["message"]
    assert message["content"] == "The answer is 4."
    assert message["reasoning_content"] == "a plan of steps\n"


def test_a_refusal_is_the_reply_and_marked(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(REFUSAL)
    *_, (name, done) = wired.stream()
    assert (name, done["status"], done["content"]) == ("done", "complete", "I cannot help.")
    assert done["is_refusal"] is True
    *_, (_, done) = wired.stream("Hello again")
    assert done["is_refusal"] is False


@pytest.mark.parametrize("streams", [False, True])
def test_a_client_gets_a_refusal_as_such(
    wired: Browser, openai_server: FakeOpenAI, streams: bool
) -> None:
    openai_server.script(REFUSAL)
    body = {
        "model": "fake-model",
        "messages": [{"role": "user", "content": "Hi"}],
        "stream": streams,
    }
    answer = wired.client.post("/v1/chat/completions", json=body)
    if streams:
        deltas = [chunk["choices"][0]["delta"] for chunk in read_chunks(answer)[:-1]]
        assert "".join(delta.get("refusal", "") for delta in deltas) == "I cannot help."
        assert "".join(delta.get("content", "") for delta in deltas) == ""
    else:
        message = answer.get_json()["choices"][0]["message"]
        assert (message["content"], message["refusal"]) == (None, "I cannot help.")


@pytest.mark.parametrize("streams", [False, True])
def test_a_response_has_a_refusal_as_such(
    wired: Browser, openai_server: FakeOpenAI, streams: bool
) -> None:
    openai_server.script(REFUSAL)
    body = {"model": "fake-model", "input": "Hi", "stream": streams}
    answer = wired.client.post("/v1/responses", json=body)
    if streams:
        events = [json.loads(line[6:]) for line in answer.text.splitlines() if line[:5] == "data:"]
        names = [event["type"] for event in events]
        assert "response.refusal.delta" in names
        assert "response.output_text.delta" not in names
        response = events[-1]["response"]
    else:
        response = answer.get_json()
    assert response["status"] == "completed"
    [item] = response["output"]
    assert item["content"] == [{"type": "refusal", "refusal": "I cannot help."}]


def test_a_streamed_response_ends_with_the_answer_alone(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(LATE)
    body = {"model": "fake-model", "input": "Hi", "stream": True}
    answer = wired.client.post("/v1/responses", json=body)
    done = json.loads(answer.text.rpartition("data: ")[2])
    [item] = done["response"]["output"]
    assert item["content"][0]["text"] == "The answer is 4."
