"""OpenAI's own client, against the application on a real socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam
from werkzeug.serving import make_server

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import list_said, list_stored

MODEL = "fake-model"


@pytest.fixture
def sdk(wired: Browser) -> Iterator[openai.OpenAI]:
    server = make_server("127.0.0.1", 0, wired.client.application, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    base_url = f"http://127.0.0.1:{server.port}/v1"
    with openai.OpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=60) as client:
        yield client
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_completion_is_whole_or_streamed(sdk: openai.OpenAI) -> None:
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello"}]
    whole = sdk.chat.completions.create(model=MODEL, messages=messages)
    assert whole.choices[0].message.content == "Hello from the fake."
    assert whole.usage is not None
    assert whole.usage.total_tokens == 18
    stream = sdk.chat.completions.create(
        model=MODEL,
        messages=messages,
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "Hello from the fake."
    assert chunks[-1].usage is not None


def test_the_asynchronous_client_works(sdk: openai.OpenAI) -> None:
    async def ask() -> str | None:
        async with openai.AsyncOpenAI(base_url=str(sdk.base_url), api_key="none") as client:
            answer = await client.chat.completions.create(
                model=MODEL, messages=[{"role": "user", "content": "Hello"}]
            )
            return answer.choices[0].message.content

    assert asyncio.run(ask()) == "Hello from the fake."


def test_thirty_turns_are_stored_once(wired: Browser, sdk: openai.OpenAI) -> None:
    history: list[ChatCompletionMessageParam] = []
    for number in range(30):
        history.append({"role": "user", "content": f"This is message {number}."})
        with sdk.chat.completions.create(
            model=MODEL,
            messages=history,
            stream=True,
        ) as stream:
            text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
        history.append({"role": "assistant", "content": text})
    assert list_stored(wired) == [(message["role"], message.get("content")) for message in history]


def test_errors_are_the_sdks(sdk: openai.OpenAI, openai_server: FakeOpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as missing:
        sdk.models.retrieve("gpt-nothing")
    assert missing.value.code == "model_not_found"
    openai_server.script(Scripted(status=429))
    with pytest.raises(openai.RateLimitError) as limited:
        sdk.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    assert limited.value.response.headers["Retry-After"]
    openai_server.script(Scripted(text="One two three four.", reset_after=2, piece_delay_s=0.1))
    stream = sdk.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Hey"}], stream=True
    )
    with pytest.raises(openai.APIError):
        list(stream)


def test_responses_go_on_from_each_other(wired: Browser, sdk: openai.OpenAI) -> None:
    first = sdk.responses.create(model=MODEL, input="My name is Ada.", instructions="Be brief.")
    assert first.output_text == "Hello from the fake."
    assert first.usage is not None
    second = sdk.responses.create(
        model=MODEL, input="What is my name?", previous_response_id=first.id
    )
    assert second.previous_response_id == first.id
    assert list_said(wired) == ["My name is Ada.", "What is my name?"]
    branch = sdk.responses.create(
        model=MODEL, input="My cat is Miso.", previous_response_id=first.id
    )
    assert branch.id != second.id
    assert len(list_said(wired)) == 3
    assert sdk.responses.retrieve(first.id).output_text == first.output_text
    sdk.responses.delete(first.id)
    with pytest.raises(openai.NotFoundError):
        sdk.responses.retrieve(first.id)
    with pytest.raises(openai.BadRequestError):
        sdk.responses.create(model=MODEL, input="Hi", previous_response_id=first.id)
    unstored = sdk.responses.create(model=MODEL, input="Hello again", store=False)
    with pytest.raises(openai.NotFoundError):
        sdk.responses.retrieve(unstored.id)


def test_the_events_of_a_response_come_in_order(sdk: openai.OpenAI) -> None:
    events = list(sdk.responses.create(model=MODEL, input="Hello", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events if event.type != "response.output_text.delta"]
    assert kinds == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == "Hello from the fake."
    with sdk.responses.stream(model=MODEL, input="Hello there") as stream:
        assert stream.get_final_response().output_text == "Hello from the fake."


def test_a_function_is_called_through_responses(
    wired: Browser, sdk: openai.OpenAI, openai_server: FakeOpenAI
) -> None:
    call = {"id": "call_7", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    openai_server.script(Scripted(text="", tool_calls=(call,), finish_reason="tool_calls"))
    tool = {"type": "function", "name": "now", "parameters": {"type": "object"}, "strict": False}
    first = sdk.responses.create(model=MODEL, input="What time is it?", tools=[tool])  # type: ignore[list-item]
    assert first.output[0].type == "function_call"
    sdk.responses.create(
        model=MODEL,
        previous_response_id=first.id,
        input=[{"type": "function_call_output", "call_id": "call_7", "output": "Noon."}],
    )
    messages = openai_server.requests[-1].body["messages"]
    assert [message["role"] for message in messages if message["role"] != "system"] == [
        "user",
        "assistant",
        "tool",
    ]
    assert list_said(wired) == ["What time is it?", ""]


def test_a_plain_prompt_is_answered_whole_or_in_pieces(wired: Browser, sdk: openai.OpenAI) -> None:
    whole = sdk.completions.create(model=MODEL, prompt="My name is Ada.", max_tokens=20)
    assert (whole.object, whole.model) == ("text_completion", MODEL)
    assert whole.choices[0].text == "Hello from the fake."
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage is not None
    pieces = list(sdk.completions.create(model=MODEL, prompt=["And I live in Porto."], stream=True))
    assert "".join(piece.choices[0].text for piece in pieces) == "Hello from the fake."
    assert pieces[-1].choices[0].finish_reason == "stop"
    assert list_said(wired) == ["My name is Ada.", "And I live in Porto."]
    with pytest.raises(openai.BadRequestError) as refused:
        sdk.completions.create(model=MODEL, prompt=["one", "two"])
    assert refused.value.param == "prompt"


@pytest.mark.parametrize("name", ["gpt-4o", "text-davinci-003"])
def test_a_name_that_nobody_knows_is_answered_by_the_default_which_says_its_own(
    sdk: openai.OpenAI, openai_server: FakeOpenAI, name: str
) -> None:
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello"}]
    assert sdk.chat.completions.create(model=name, messages=messages).model == MODEL
    chunks = list(sdk.chat.completions.create(model=name, messages=messages, stream=True))
    assert {chunk.model for chunk in chunks} == {MODEL}
    assert sdk.responses.create(model=name, input="Hello").model == MODEL
    assert sdk.completions.create(model=name, prompt="Hello").model == MODEL
    assert set(openai_server.models) == {MODEL}


def test_the_input_of_a_response_is_listed(sdk: openai.OpenAI) -> None:
    first = sdk.responses.create(model=MODEL, input="My name is Ada.")
    [item] = sdk.responses.input_items.list(first.id)
    assert item.type == "message"
    assert item.role == "user"
    [part] = item.content
    assert part.type == "input_text"
    assert part.text == "My name is Ada."
    with pytest.raises(openai.NotFoundError):
        sdk.responses.input_items.list("resp_unknown")


def test_a_pdf_goes_through_responses_as_through_chat(
    sdk: openai.OpenAI, openai_server: FakeOpenAI
) -> None:
    data = "data:application/pdf;base64,JVBERi0xLjQK"
    response = sdk.responses.create(
        model=MODEL,
        input=[
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "What is in it?"},
                    {"type": "input_file", "filename": "a.pdf", "file_data": data},
                ],
            }
        ],
    )
    content = openai_server.requests[-1].body["messages"][-1]["content"]
    assert content[1] == {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}
    [item] = sdk.responses.input_items.list(response.id)
    assert item.type == "message"
    assert [part.type for part in item.content] == ["input_text", "input_file"]


def test_a_base_url_without_v1_is_told_where_to_go(sdk: openai.OpenAI) -> None:
    short = sdk.with_options(base_url=str(sdk.base_url).removesuffix("v1/"))
    with pytest.raises(openai.NotFoundError, match="end with /v1"):
        short.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    with pytest.raises(openai.NotFoundError, match="end with /v1"):
        short.models.list()
    with pytest.raises(openai.NotFoundError) as unknown:
        sdk.files.list()
    assert unknown.value.code == "not_found"
