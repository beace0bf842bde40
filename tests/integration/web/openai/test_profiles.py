"""Every server of `profiles.toml` serves the page, clients of /v1 and the test of its model."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.fakes.profiles import PROFILES
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client
from tests.integration.web.openai.test_chat import read_chunks

CALL = {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": '{"in":1}'}}
TOOLS = [{"type": "function", "function": {"name": "clock", "parameters": {"type": "object"}}}]
CALLS = Scripted(text="", tool_calls=(CALL,), finish_reason="tool_calls")
ASKED = {"role": "user", "content": "What time is it?"}


@pytest.fixture(params=["httpx", "litellm"])
def api_client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=sorted(PROFILES))
def browser(
    request: pytest.FixtureRequest,
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    api_client: str,
) -> Browser:
    openai_server.profile = PROFILES[request.param]
    return make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_client=api_client,
        llm_tries=1,
    )


def test_replies_end_well_are_stopped_and_break_off(
    browser: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(text="Fine, \U0001f600 is all.", reasoning="Hm, I see."))
    *events, (_, done) = browser.stream()
    assert (done["status"], done["content"]) == ("complete", "Fine, \U0001f600 is all.")
    assert "".join(data["text"] for name, data in events if name == "reasoning") == "Hm, I see."

    openai_server.script(Scripted(text="one two three", goes_on=Event(), held_after=2))
    stream = browser.stream()
    _, meta = next(stream)
    next(data for name, data in stream if name == "delta")
    path = f"/chat/{meta['conversation_id']}/{meta['sequence']}/stop"
    assert browser.client.post(path, json={}).status_code == 202
    _, stopped = [*stream][-1]
    assert (stopped["status"], stopped["finish_reason"]) == ("partial", "cancelled")

    openai_server.script(
        Scripted(text="Half of", breaks=True, error="Overloaded"),
        Scripted(text="Half of", finish_reason="insufficient_system_resource"),
    )
    for word in ("Overloaded", "insufficient_system_resource"):
        name, failed = [*browser.stream()][-1]
        assert (name, failed["status"], failed["content"]) == ("error", "partial", "Half of")
        assert word in failed["message"]


def test_a_client_calls_tools(browser: Browser, openai_server: FakeOpenAI) -> None:
    client = Client(browser, "fake-model")
    for streams in (False, True):
        openai_server.script(CALLS, Scripted(text="Nine."))
        answer = client.post([ASKED], tools=TOOLS, stream=streams)
        message, reason = read_streamed(answer) if streams else read_whole(answer)
        [call] = message["tool_calls"]
        assert (call["function"], reason) == (CALL["function"], "tool_calls")
        result = {"role": "tool", "tool_call_id": call["id"], "content": "9"}
        answer = client.post([ASKED, message, result], tools=TOOLS)
        assert answer.get_json()["choices"][0]["message"]["content"] == "Nine."


def read_whole(answer: Any) -> tuple[dict[str, Any], str]:
    [choice] = answer.get_json()["choices"]
    return choice["message"], choice["finish_reason"]


def read_streamed(answer: Any) -> tuple[dict[str, Any], str]:
    *chunks, done = read_chunks(answer)
    assert done == "[DONE]"
    message: dict[str, Any] = {"role": "assistant", "content": None}
    for chunk in chunks:
        [choice] = chunk["choices"]
        calls = choice["delta"].get("tool_calls", [])
        if calls:
            message["tool_calls"] = [
                {name: value for name, value in call.items() if name != "index"} for call in calls
            ]
    return message, choice["finish_reason"]


def test_the_test_of_a_model_works(browser: Browser, openai_server: FakeOpenAI) -> None:
    form = {"served_name": "fake-model", "address": openai_server.base_url}
    result = browser.client.post("/api/v1/operations/models/test", json=form).get_json()
    assert result["outcome"] == "works"
