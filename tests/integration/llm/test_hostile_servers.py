"""A model's server that sends what no true one sends, by both ways of asking it."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from shared import errors as ours
from shared.errors import ModelAnswerTooLargeError, ThroughlineError
from shared.llm import complete
from shared.llm.background_iterator import MODEL_BOUNDS
from shared.llm.chunks import MAX_CALLS, MAX_CHARS
from shared.llm.model_probe import probe
from shared.settings import Settings
from tests.fakes.hostile_server import (
    BUFFERS_BYTES,
    HostileServer,
    MakeAnswer,
    endless,
    head,
    make_bomb,
    running_hostile_server,
    whole,
)
from tests.fakes.site_models import HOSTED
from tests.integration.llm.conftest import MakeRequest
from tests.waiting import PATIENCE_S

MB = 1_000_000
BLANKS = b" " * 65_536
EVENTS = "text/event-stream"
Wired = Callable[..., Settings]


def chunk(delta: str) -> bytes:
    return b'data: {"choices": [{"index": 0, "delta": {' + delta.encode() + b"}}]}\n\n"


WORDS = chunk('"content": "' + "word " * 10_000 + '"')
CALL = '{"index": %d, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}'
CALLS = chunk('"tool_calls": [' + ", ".join(CALL % n for n in range(MAX_CALLS + 1)) + "]")
BOMB = make_bomb(300)

TOO_LARGE = {
    "a whole answer without an end": endless(head(), BLANKS),
    "an answer that says how long it is": endless(
        head("application/json", "Content-Length: 400000000"), BLANKS
    ),
    "a stream without a line break": endless(head(EVENTS), BLANKS),
    "an event without an end": endless(head(EVENTS), b"data: " + BLANKS + b"\n"),
    "a stream of another type without a line break": endless(head("text/html"), BLANKS),
    "comments without an end": endless(head(EVENTS), b": " + BLANKS + b"\n\n"),
    "words without an end": endless(head(EVENTS), WORDS),
    "reasoning without an end": endless(
        head(EVENTS), WORDS.replace(b"content", b"reasoning_content")
    ),
    "calls of tools without an end": whole(head(EVENTS), CALLS),
    "a bomb": whole(head("application/json", "Content-Encoding: gzip"), BOMB),
    "a bomb in a stream": whole(head(EVENTS, "Content-Encoding: gzip"), BOMB),
    "an encoding within another": whole(
        head(EVENTS, "Content-Encoding: gzip, gzip"), gzip.compress(BOMB)
    ),
}
NEVER_LARGE = {
    "a refusal without an end": endless(head().replace(b"200 OK", b"400 Bad"), BLANKS),
    "deeply nested": whole(head(), b"[" * 200_000),
    "an event that is deeply nested": whole(head(EVENTS), b"data: " + b'{"a":' * 200_000 + b"\n\n"),
    "headers without an end": endless(
        b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 60_000 + b"\r\n"
    ),
    "one header without an end": endless(b"HTTP/1.1 200 OK\r\nX-More: ", b"x" * 60_000),
    "a status line without an end": endless(b"HTTP/1.1 200 ", b"x" * 60_000),
    "an answer that is shorter than it says": whole(
        head("application/json", "Content-Length: 5000"), b'{"choices": ['
    ),
    "a length that is none": whole(head("application/json", "Content-Length: -5"), b"{}"),
    "two lengths": whole(head("application/json", "Content-Length: 2", "Content-Length: 3"), b"{}"),
    "a chunk that is larger than any": whole(
        head("application/json", "Transfer-Encoding: chunked"), b"ffffffffffffffffff\r\n{}"
    ),
    "numbers that are none": whole(
        head(), b'{"usage": {"prompt_tokens": ' + b"9" * 100_000 + b"}}"
    ),
}


def with_names(cases: dict[str, MakeAnswer]) -> list[object]:
    return [pytest.param(answer, id=name) for name, answer in cases.items()]


@pytest.fixture
def ask_hostile(wired: Wired, ask: MakeRequest) -> Callable[[HostileServer], ThroughlineError]:
    """Ask with three tries, and return the error."""

    def ask_server(server: HostileServer) -> ThroughlineError:
        settings = wired(llm_api_base=f"{server.url}/v1", llm_tries=3, llm_timeout_s=PATIENCE_S)
        with pytest.raises(ThroughlineError) as caught:
            complete(ask(), settings)
        return caught.value

    return ask_server


@pytest.fixture
def peak_bytes() -> Iterator[Callable[[], int]]:
    """What Python's own objects took at most since the test began."""
    tracemalloc.start()
    began = tracemalloc.get_traced_memory()[0]
    yield lambda: tracemalloc.get_traced_memory()[1] - began
    tracemalloc.stop()


@pytest.mark.parametrize("answer", with_names(TOO_LARGE))
def test_an_answer_beyond_all_bounds_is_cut_off_and_never_asked_for_again(
    answer: MakeAnswer,
    ask_hostile: Callable[[HostileServer], ThroughlineError],
    peak_bytes: Callable[[], int],
) -> None:
    with running_hostile_server(answer) as server:
        error = ask_hostile(server)
        assert isinstance(error, ModelAnswerTooLargeError)
        assert server.request_count == 1
        assert server.ended.wait(PATIENCE_S)
        assert server.sent_bytes <= MODEL_BOUNDS.stream_bytes + BUFFERS_BYTES
    assert peak_bytes() < 60 * MB


@pytest.mark.parametrize("answer", with_names(NEVER_LARGE))
def test_nonsense_is_an_error_of_ours_and_little_of_it_is_read(
    answer: MakeAnswer, ask_hostile: Callable[[HostileServer], ThroughlineError]
) -> None:
    with running_hostile_server(answer) as server:
        assert isinstance(ask_hostile(server), ours.ThroughlineError)
        assert server.request_count <= 3
        assert server.sent_bytes <= 3 * BUFFERS_BYTES


def test_the_longest_true_answers_are_read(wired: Wired, ask: MakeRequest) -> None:
    """One event a token; and one whole answer, each character of which is escaped."""
    token = chunk('"content": "abcd"')
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    text = b"\\u00e9" * 400_000
    answers = {
        whole(head(EVENTS), token * 20_000, end): 80_000,
        whole(
            head(),
            b'{"choices": [{"message": {"content": "' + text + b'"}, "finish_reason": "stop"}]}',
        ): 400_000,
    }
    for answer, chars in answers.items():
        with running_hostile_server(answer) as server:
            settings = wired(llm_api_base=f"{server.url}/v1", llm_api_client="httpx")
            assert len(complete(ask(), settings).text) == chars
    assert MAX_CHARS > 400_000


@pytest.mark.parametrize("answer", with_names(TOO_LARGE))
def test_an_operators_test_of_such_a_model_says_so_after_one_request(
    answer: MakeAnswer, wired: Wired, peak_bytes: Callable[[], int]
) -> None:
    with running_hostile_server(answer) as server:
        model = replace(HOSTED, config=replace(HOSTED.config, address=f"{server.url}/v1"))
        result = probe(model, wired(llm_api_client="httpx"))
        assert result.outcome in {"not_openai", "refused", "works"}
        assert server.request_count <= 2
        assert server.sent_bytes <= 2 * MODEL_BOUNDS.stream_bytes + BUFFERS_BYTES
    assert peak_bytes() < 60 * MB
