"""`POST /v1/chat/completions` and `/v1/models`: their form, their errors, memory on and off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client, Message, list_said

pytestmark = pytest.mark.newcomers

HELLO = [{"role": "user", "content": "Hello"}]


def read_chunks(answer: TestResponse) -> list[Any]:
    lines = answer.get_data(as_text=True).split("\n\n")
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [chunk if chunk == "[DONE]" else json.loads(chunk) for chunk in data]


def error_of(answer: TestResponse) -> dict[str, Any]:
    error = answer.get_json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    return error


def test_an_answer_has_openais_form(client: Client) -> None:
    answer = client.post(HELLO)
    body = answer.get_json()
    assert body["object"] == "chat.completion"
    assert body["id"].startswith("chatcmpl-")
    assert body["model"] == "offline/extractive"
    [choice] = body["choices"]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["role"] == "assistant"
    usage = body["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0
    assert answer.headers["X-Conversation-Id"]


def test_usage_tells_what_came_from_the_cache(
    wired_client: Client, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(tokens_in=500, tokens_cached=400))
    usage = wired_client.post(HELLO).get_json()["usage"]
    assert usage["prompt_tokens_details"] == {"cached_tokens": 400}


def test_a_stream_has_openais_form(client: Client) -> None:
    answer = client.post(HELLO, stream=True, stream_options={"include_usage": True})
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["X-Conversation-Id"]
    *chunks, done = read_chunks(answer)
    assert done == "[DONE]"
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in chunks}) == 1
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks[:-1])
    assert "Hello" in text


def test_the_clients_prompt_stays_first_and_its_messages_stay_as_they_are(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    learner = Client(wired, "fake-model")
    learner.say("My favourite colour is vermilion, remember that please.")
    messages: list[Message] = [
        {"role": "system", "content": "You are a pirate. Answer in one word."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is my favourite colour, vermilion?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            ],
            "name": "ada",
        },
    ]
    options = {"temperature": 0.2, "seed": 7, "user": "somebody", "unknown_field": {"a": [1]}}
    assert wired_client.post(messages, **options).status_code == 200
    body = openai_server.requests[-1].body
    instructions = body["messages"][0]
    prompt, _, notes = instructions["content"].partition("\n\n")
    assert instructions["role"] == "system"
    assert prompt == messages[0]["content"]
    assert notes.startswith("Today is ")
    context, *parts = body["messages"][-1]["content"]
    assert context["text"].startswith("<context>")
    assert "vermilion" in context["text"]
    assert body["messages"][-1] | {"content": parts} == messages[1]
    assert [message["role"] for message in body["messages"]].count("system") == 1
    assert {name: body[name] for name in options} == options
    assert "metadata" not in body
    assert list_said(wired)[-1] == "What is my favourite colour, vermilion?"


def test_without_memories_nothing_is_added(wired_client: Client, openai_server: FakeOpenAI) -> None:
    wired_client.post(HELLO)
    assert openai_server.requests[-1].body["messages"] == HELLO


@pytest.mark.parametrize("use", ["off", "read"])
def test_a_request_may_keep_memory_from_learning(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI, use: str
) -> None:
    wired_client.say("My favourite colour is vermilion, remember that please.")
    question = [{"role": "user", "content": "Is my favourite colour vermilion?"}]
    for fields in ({"headers": {"X-Memory": use}}, {"metadata": {"memory": use}}):
        assert wired_client.post(question, **fields).status_code == 200
        messages = openai_server.requests[-1].body["messages"]
        assert len(messages) == (2 if use == "read" else 1)
    assert len(list_said(wired)) == 1


TASKS = (
    """### Task:
Generate a concise, 3-5 word title with an emoji.
### Chat History:
<chat_history>
USER: My name is Bob.
</chat_history>""",
    "### Task:\nGenerate 1-3 broad tags.\n\n### Chat History:\n<chat_history>\n</chat_history>",
    """Provide a concise, 5-word-or-less title for the conversation, using title case conventions. \
Only return the title itself.

Conversation:
User: My name is Bob.
AI: Hello""",
)


@pytest.mark.parametrize("task", TASKS)
def test_a_clients_own_task_is_answered_and_not_stored(
    browser: Browser, client: Client, task: str
) -> None:
    answer = client.post([{"role": "user", "content": task}])
    assert answer.status_code == 200
    assert list_said(browser) == []


def test_a_question_about_found_texts_is_the_users_own(browser: Browser, client: Client) -> None:
    question = "### Task:\nRespond to the user query using the context.\n<context>x</context>\nHi"
    client.say(question)
    assert list_said(browser) == [question]


@pytest.mark.parametrize(
    ("fields", "status", "param", "code"),
    [
        ({"model": "gpt-nothing"}, 404, "model", "model_not_found"),
        ({"messages": []}, 400, "messages", "invalid_request"),
        ({"messages": [{"role": "wizard", "content": "Hi"}]}, 400, "messages.0.role", None),
        ({"messages": [{"role": "user", "content": "a\x00b"}]}, 400, "messages.0.content", None),
        ({"messages": "Hello"}, 400, "messages", None),
        ({"n": 2}, 400, "n", None),
        ({"temperature": "hot"}, 400, "temperature", None),
        ({"temperature": True}, 400, "temperature", None),
        ({"top_p": [1]}, 400, "top_p", None),
        ({"max_tokens": 0}, 400, "max_tokens", None),
        ({"max_completion_tokens": 1.5}, 400, "max_completion_tokens", None),
        ({"seed": "seven"}, 400, "seed", None),
        ({"stream_options": {"include_usage": True}}, 400, "stream_options", None),
        ({"messages": [{"role": "user"}]}, 400, "messages.0.content", None),
        ({"messages": [{"role": "user", "content": []}]}, 400, "messages.0.content", None),
        ({"logprobs": True}, 400, "logprobs", None),
        ({"functions": [{"name": "f"}]}, 400, "functions", None),
        ({"metadata": {"memory": "sometimes"}}, 400, "metadata.memory", None),
        ({"metadata": {"conversation_id": "mine"}}, 400, None, None),
        ({"messages": [{"role": "user", "content": "a" * 100_001}]}, 400, "messages", None),
    ],
)
def test_a_bad_request_is_refused_in_openais_form(
    browser: Browser,
    client: Client,
    *,
    fields: dict[str, Any],
    status: int,
    param: str | None,
    code: str | None,
) -> None:
    body = {"model": client.model, "messages": HELLO} | fields
    answer = browser.client.post("/v1/chat/completions", json=body)
    error = error_of(answer)
    assert (answer.status_code, error["param"]) == (status, param)
    assert error["type"] == "invalid_request_error"
    assert code in {None, error["code"]}
    assert list_said(browser) == []


def test_addresses_and_methods_that_are_not_there_answer_in_openais_form(browser: Browser) -> None:
    assert error_of(browser.client.get("/v1/nothing"))["code"] == "not_found"
    answer = browser.client.get("/v1/chat/completions")
    assert answer.status_code == 405
    assert error_of(answer)["code"] == "method_not_allowed"
    broken = browser.client.post("/v1/chat/completions", data="{", content_type="application/json")
    assert broken.status_code == 400
    assert error_of(broken)["type"] == "invalid_request_error"


def test_without_a_token_the_error_is_openais(make_browser: Any) -> None:
    site = make_browser(local_token="a-token-of-the-site")
    answer = site.client.get("/v1/models")
    assert answer.status_code == 401
    assert error_of(answer)["code"] == "invalid_api_key"
    headers = {"Authorization": "Bearer a-token-of-the-site"}
    assert site.client.get("/v1/models", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("scripted", "status", "code"),
    [
        (Scripted(status=429), 429, "rate_limit_exceeded"),
        (Scripted(status=500), 503, "model_unavailable"),
        (Scripted(status=400), 400, "request_not_accepted"),
        (Scripted(status=401), 502, "model_refused"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_a_models_fault_is_told_with_its_status(
    wired: Browser,
    wired_client: Client,
    openai_server: FakeOpenAI,
    *,
    scripted: Scripted,
    status: int,
    code: str,
    stream: bool,
) -> None:
    openai_server.script(scripted)
    answer = wired_client.post(HELLO, stream=stream)
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)
    assert ("Retry-After" in answer.headers) == (status in {429, 503})
    assert list_said(wired) == ["Hello"]


def test_a_model_that_breaks_off_ends_the_stream_with_an_error(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(text="One two three four.", reset_after=2, piece_delay_s=0.1))
    *_, last = read_chunks(wired_client.post(HELLO, stream=True))
    assert last["error"]["type"] == "server_error"


def test_the_models_are_listed_and_found(browser: Browser) -> None:
    listed = browser.get("/v1/models")
    assert [model["id"] for model in listed["data"]] == ["offline/extractive"]
    assert browser.get("/v1/models/offline/extractive")["object"] == "model"
    answer = browser.client.get("/v1/models/gpt-nothing")
    assert answer.status_code == 404
    assert error_of(answer)["code"] == "model_not_found"
