"""The stand-in as a litellm provider. It imports litellm, so only `litellm_setup` imports it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from litellm import CustomLLM, ModelResponse, Usage

from shared.offline.answer import write_answer
from shared.offline.words import list_words
from shared.policy.clients.messages import INSTRUCTING, text_of

PIECE = re.compile(r"\S+\s*|\s+")  # a word and the space after it


class ExtractiveProvider(CustomLLM):  # type: ignore[misc]  # litellm comes without types here
    """Answers as a whole or word by word."""

    def completion(
        self, *, messages: Sequence[Mapping[str, Any]], model_response: Any, **_: Any
    ) -> ModelResponse:
        messages = _plain(messages)
        text = write_answer(messages)
        model_response.choices[0].message.content = text
        model_response.choices[0].finish_reason = "stop"
        model_response.usage = Usage(**_count(messages, text))
        return model_response

    def streaming(
        self, *, messages: Sequence[Mapping[str, Any]], **_: Any
    ) -> Iterator[dict[str, Any]]:
        messages = _plain(messages)
        text = write_answer(messages)
        for piece in PIECE.findall(text):
            yield _chunk(piece)
        yield _chunk("", finished=True, usage=_count(messages, text))


def _plain(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The messages as texts: clients may send content in parts, and results of tools."""
    return [
        {
            "role": "system" if one["role"] in INSTRUCTING else one["role"],
            "content": text_of(one.get("content")),
        }
        for one in messages
    ]


def _chunk(text: str, *, finished: bool = False, usage: Any = None) -> dict[str, Any]:
    """litellm's `GenericStreamingChunk`."""
    return {
        "text": text,
        "index": 0,
        "is_finished": finished,
        "finish_reason": "stop" if finished else "",
        "tool_use": None,
        "usage": usage,
    }


def _count(messages: Sequence[Mapping[str, str]], text: str) -> dict[str, int]:
    """Usage in words, as an estimate of tokens."""
    tokens_in = sum(len(list_words(message["content"])) for message in messages)
    tokens_out = len(list_words(text))
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
