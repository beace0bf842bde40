"""What servers of OpenAI's protocol really send: well formed, sloppy, broken."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from shared import errors as ours
from shared.llm import Completion, complete
from shared.settings import Settings, read_settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest
from tests.integration.llm.raw_server import END, STREAM, WHOLE, RawServer, chunked, delta, events
from tests.waiting import wait_for


@pytest.fixture
def server() -> Iterator[RawServer]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        raw = RawServer(listener)
        threading.Thread(target=raw.run, daemon=True).start()
        yield raw
        listener.shutdown(socket.SHUT_RDWR)
        for connection in raw.connections:
            connection.close()


@pytest.fixture
def ask_server(server: RawServer, ask: MakeRequest) -> Callable[..., Completion]:
    """Ask the server once, with the answer that it is to give."""

    def make(answer: str, *, closes: bool = True) -> Completion:
        server.answer, server.closes = answer.encode(), closes
        return complete(ask(), settings_of(server))

    return make


def settings_of(server: RawServer) -> Settings:
    return read_settings(
        llm_model="any", llm_api_base=server.base_url, llm_timeout_s=3, llm_tries=1
    )


@pytest.mark.parametrize(
    "head",
    [
        STREAM,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n",
    ],
)
def test_events_are_read_whatever_they_are_called(ask_server: Any, head: str) -> None:
    completion = ask_server(f"{head}\r\n{WHOLE}")

    assert completion.text == "It is blue."
    assert (completion.tokens_in, completion.tokens_out) == (3, 2)


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_any_newline_ends_a_line(ask_server: Any, newline: str) -> None:
    assert ask_server(f"{STREAM}\r\n{WHOLE.replace(chr(10), newline)}").text == "It is blue."


def test_comments_spaces_and_other_fields_are_passed_over(ask_server: Any) -> None:
    noise = f": ping\n\nid: 7\nevent: message\n{WHOLE}".replace("data: ", "data:")

    assert ask_server(f"{STREAM}\r\n{noise}").text == "It is blue."


def test_a_line_separator_within_a_text_ends_nothing(ask_server: Any) -> None:
    chunk = json.dumps(delta(content="one\u2028two\x85three"), ensure_ascii=False)

    assert ask_server(f"{STREAM}\r\ndata: {chunk}\n\n{events(END)}").text == "one\u2028two\x85three"


def test_a_server_that_does_not_stream_is_understood(ask_server: Any) -> None:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": f"f{n}", "arguments": "{}"}}
        for n in range(2)
    ]
    message = {"role": "assistant", "content": "Two calls.", "tool_calls": calls}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"

    completion = ask_server(f"{head}\r\n{body}")

    assert completion.text == "Two calls."
    assert completion.extras["tool_calls"] == calls


def test_a_kept_connection_is_used_again(server: RawServer, ask_server: Any) -> None:
    answer = f"{STREAM}Transfer-Encoding: chunked\r\n\r\n{chunked(WHOLE)}"

    for _ in range(3):
        assert ask_server(answer, closes=False).text == "It is blue."

    assert len(server.connections) == 1


def test_a_server_that_leaves_the_connection_open_holds_nobody_up(
    server: RawServer, ask_server: Any
) -> None:
    assert ask_server(f"{STREAM}\r\n{WHOLE}", closes=False).text == "It is blue."


def test_a_lost_kept_connection_costs_a_try_and_no_answer(
    server: RawServer, ask_server: Any
) -> None:
    answer = f"{STREAM}Transfer-Encoding: chunked\r\n\r\n{chunked(WHOLE)}"
    ask_server(answer, closes=False)
    server.connections[0].shutdown(socket.SHUT_RDWR)

    assert ask_server(answer).text == "It is blue."


def test_pieces_of_calls_are_joined_by_their_index(ask_server: Any) -> None:
    def piece(index: int, **function: str) -> dict[str, Any]:
        return {"index": index, "function": function, **({"id": f"c{index}"} if function else {})}

    chunks = [
        delta(tool_calls=[piece(0, name="weather", arguments='{"ci'), piece(1, name="time")]),
        delta(tool_calls=[piece(0, arguments='ty": "Berlin"}')]),
        delta(tool_calls=[piece(1, arguments="{}")]),
    ]

    calls = ask_server(f"{STREAM}\r\n{events(*chunks, END)}").extras["tool_calls"]

    contents = [
        (call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls
    ]
    assert contents == [("c0", "weather", '{"city": "Berlin"}'), ("c1", "time", "{}")]


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_beside_the_text(ask_server: Any, name: str) -> None:
    chunks = (delta(**{name: "Think."}), delta(**{name: " Think."}), delta(content="Blue."), END)

    completion = ask_server(f"{STREAM}\r\n{events(*chunks)}")

    assert completion.text == "Blue."
    assert completion.extras == {"reasoning_content": "Think. Think."}


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"message": "Slow down.", "code": 429}, ours.RateLimitedError),
        ({"message": "no slot", "code": 503}, ours.ModelUnavailableError),
        ({"message": "failed", "type": "server_error"}, ours.ModelUnavailableError),
        ({"message": "the request exceeds the available context size"}, ours.InputTooLongError),
        ({"message": ["odd"], "code": {"odd": 1}}, ours.ModelUnavailableError),
        ("in a word", ours.ModelUnavailableError),
    ],
)
def test_an_error_in_the_stream_is_an_error(ask_server: Any, error: object, expected: Any) -> None:
    with pytest.raises(expected) as caught:
        ask_server(f"{STREAM}\r\n{events({'error': error})}")

    assert "{" not in caught.value.message


@pytest.mark.parametrize(
    "broken",
    [
        "data: {not json\n\n",
        "data: [1]\n\n",
        f"data: {'[' * 100_000}\n\n",
        events(delta(content="half"), last=""),
        "",
        "<html>504</html>",
    ],
)
def test_a_broken_stream_is_an_error_that_may_pass(ask_server: Any, broken: str) -> None:
    with pytest.raises(ours.ModelUnavailableError):
        ask_server(f"{STREAM}\r\n{broken}")


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, '{"error": {"code": "content_filter", "message": "no"}}', ours.InputRefusedError),
        (400, '{"error": {"code": ["odd"], "message": "no"}}', ours.RequestNotAcceptedError),
        (409, "[]", ours.RequestNotAcceptedError),
        (413, "<html>too large</html>", ours.InputTooLongError),
        (418, "", ours.RequestNotAcceptedError),
        (500, "[" * 100_000, ours.ModelUnavailableError),
        (503, "x" * 1_000_000, ours.ModelUnavailableError),
        (504, "<html>gateway</html>", ours.ModelTimeoutError),
        (529, "{}", ours.ModelUnavailableError),
        (204, "", ours.ModelUnavailableError),
    ],
)
def test_a_status_says_what_the_matter_is(
    ask_server: Any, status: int, body: str, expected: Any
) -> None:
    with pytest.raises(expected):
        ask_server(f"HTTP/1.1 {status} Any\r\nContent-Type: any/any\r\n\r\n{body}")


def test_the_request_is_openais(openai_server: FakeOpenAI, ask: MakeRequest) -> None:
    settings = read_settings(
        llm_model="openai/any", llm_api_base=f"{openai_server.base_url}/", llm_api_key="sk-own"
    )

    complete(ask(model="openai/any", max_tokens=9, temperature=0.5), settings)

    (request,) = openai_server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-own"
    assert request.body == {
        "model": "any",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_hung_up_call_does_not_break_a_kept_connection(
    openai_server: FakeOpenAI, ask: MakeRequest
) -> None:
    settings = read_settings(llm_model="any", llm_api_base=openai_server.base_url, llm_timeout_s=2)
    openai_server.script(Scripted(delay_s=60))
    with pytest.raises(ours.ModelTimeoutError):
        complete(ask(), settings)

    wait_for(openai_server.hung_up.is_set)
    assert complete(ask(), settings).text == "Hello from the fake."


CALL = """
import sys
from shared.errors import ModelOutputError
from shared.llm import ChatMessage, ModelRequest, ask_json, complete, provider_of, warm_up
from shared.llm.schemas import EpisodeAnswer
from shared.settings import read_settings

settings = read_settings(llm_model=sys.argv[1], llm_api_base=sys.argv[2], llm_tries=1)
warm_up(settings)
hello = (ChatMessage(role="user", content="Hello"),)
request = ModelRequest(model=settings.llm_model, messages=hello, purpose="reply")
complete(request, settings)
try:
    ask_json(request, EpisodeAnswer, settings)
except ModelOutputError:
    pass  # a reply, and no answer in the form
provider_of(settings.llm_model, settings)
print("litellm" in sys.modules)
"""


@pytest.mark.parametrize("model", ["meta-llama/Llama-3.2-1B", "offline/extractive"])
def test_neither_way_imports_litellm(openai_server: FakeOpenAI, model: str) -> None:
    command = [sys.executable, "-c", CALL, model, openai_server.base_url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
