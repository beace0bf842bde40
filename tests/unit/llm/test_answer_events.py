"""An answer cut anywhere, and with any type in any field, is read to its end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
from hypothesis import given
from hypothesis import strategies as st

from shared.llm.chunks import ChunkedAnswer
from shared.llm.providers.answer_events import read_answer
from shared.llm.providers.direct_errors import ServerError, UnreadableAnswerError
from tests.integration.llm.raw_server import END, delta, events

TEXTS = st.text(st.sampled_from("ab \n\u00e9\U0001f600<>{}"), max_size=6)
CUTS = st.lists(st.integers(1, 60), min_size=1, max_size=12)
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
#: A chunk that has every field.
FULL: dict[str, Any] = {
    "object": "chat.completion.chunk",
    "error": None,
    "usage": {"prompt_tokens": 1, "prompt_tokens_details": {"cached_tokens": 1}},
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"content": "a"},
            "delta": {
                "content": [{"type": "text", "text": "a"}],
                "reasoning_content": "b",
                "reasoning_details": [{"text": "b"}],
                "refusal": "c",
                "function_call": {"name": "f", "arguments": "{}"},
                "tool_calls": [
                    {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}
                ],
            },
        }
    ],
}  # fmt: skip


def read(data: bytes, cuts: list[int]) -> dict[str, Any]:
    """The answer, from bytes that come in pieces of these sizes, in turn."""

    def pieces() -> Iterator[bytes]:
        at = count = 0
        while at < len(data):
            size = cuts[count % len(cuts)]
            yield data[at : at + size]
            at, count = at + size, count + 1

    answer, shown = ChunkedAnswer(), ""
    for chunk in read_answer(httpx.Response(200, content=pieces())):
        parts = answer.take(chunk)
        shown = parts.text if parts.retracts else shown + parts.text
    parts = answer.finish()
    shown = parts.text if parts.retracts else shown + parts.text
    assert shown == answer.text
    calls = [call["function"] for call in answer.extras().get("tool_calls", ())]
    return {
        **answer.extras(),
        "text": answer.text,
        "end": answer.finish_reason,
        "tool_calls": calls,
    }


def list_paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from list_paths(inner, (*path, name))


def replaced(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], odd)
    return copy


@given(st.lists(TEXTS, max_size=6), st.lists(TEXTS, max_size=3), CUTS, NEWLINES)
def test_the_text_comes_once_however_the_stream_is_cut(
    texts: list[str], thoughts: list[str], cuts: list[int], newline: str
) -> None:
    deltas = [
        *(delta(reasoning=thought) for thought in thoughts),
        *(delta(content=t) for t in texts),
    ]
    data = events(*deltas, END).replace("\n", newline).encode()
    answer = read(data, cuts)
    assert answer["text"] == "".join(texts)
    assert answer.get("reasoning_content", "") == "".join(thoughts)
    assert answer["end"] == "stop"


@given(st.sampled_from([path for path in list_paths(FULL) if path]), ODD, CUTS)
def test_no_field_of_an_odd_type_is_a_fault_of_ours(
    path: tuple[Any, ...], odd: Any, cuts: list[int]
) -> None:
    data = events(replaced(FULL, path, odd), END).encode()
    answers = []
    for sizes in ([len(data)], cuts):
        try:
            answers.append(read(data, sizes))
        except (ServerError, UnreadableAnswerError) as exc:
            answers.append({"error": type(exc)})
    assert answers[0] == answers[1]


@given(st.integers(0, 400), CUTS)
def test_an_answer_that_breaks_off_anywhere_has_the_words_that_came(
    end: int, cuts: list[int]
) -> None:
    words = [f"word{number} " for number in range(6)]
    data = events(*(delta(content=word) for word in words), END).encode()[:end]
    complete_events = data.count(b"\n\n") + _is_whole(data.rpartition(b"\n\n")[2])
    assert read(data, cuts)["text"] == "".join(words[:complete_events])


def _is_whole(event: bytes) -> bool:
    try:
        json.loads(event.removeprefix(b"data: "))
    except ValueError:
        return False
    return True
