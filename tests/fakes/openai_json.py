"""What stands in requests and answers of OpenAI's chat protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FAKE_MODEL = "fake-model"

MAX_PIECES = 1000
CONTEXT_END = "\n</context>\n\n"


def task_of(body: dict[str, Any]) -> str:
    """The task that the system prompt's first line names. A reply's prompt names none."""
    head = str(body["messages"][0]["content"]).splitlines()[0]
    return head.removeprefix("Task: ") if head.startswith("Task: ") else "reply"


def words_of(body: dict[str, Any]) -> list[str]:
    """What was said: the texts after the system message, without the context before the last."""
    return [str(message["content"]).rpartition(CONTEXT_END)[2] for message in body["messages"][1:]]


def context_of(body: dict[str, Any]) -> str:
    """The clock, and what was looked up for the message to answer. Empty: there is none."""
    texts = [str(message["content"]) for message in body["messages"]]
    contexts = [text for text in texts if text.startswith("<context>") and CONTEXT_END in text]
    return contexts[-1].partition(CONTEXT_END)[0] if contexts else ""


def format_of(body: dict[str, Any]) -> str | None:
    response_format: dict[str, str] = body.get("response_format") or {}
    return response_format.get("type")


def list_pieces(text: str) -> Sequence[str]:
    """Word by word; a very long text in larger pieces."""
    words = text.split(" ")
    size = 1 + len(words) // MAX_PIECES
    groups = [" ".join(words[first : first + size]) for first in range(0, len(words), size)]
    return [f"{group} " for group in groups[:-1]] + groups[-1:]


def make_chunk(delta: dict[str, Any] | None, finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "fake-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": FAKE_MODEL,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def make_usage(tokens_in: Any, tokens_out: Any, tokens_cached: Any = 0) -> dict[str, Any]:
    return {
        "prompt_tokens_details": {"cached_tokens": tokens_cached},
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def make_whole(text: str, finish_reason: str | None, usage: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "fake-1",
        "object": "chat.completion",
        "created": 0,
        "model": FAKE_MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": usage,
    }


def reading_s(text: str, tokens_per_s: float | None) -> float:
    """How long a model takes to read a text. A token is some four characters."""
    return 0 if tokens_per_s is None else len(text) / 4 / tokens_per_s
