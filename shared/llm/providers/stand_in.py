"""The stand-in's answer, word by word, without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.llm.chunks import Chunk, Chunks, Usage
from shared.llm.request import ModelRequest
from shared.offline.answer import write_answer
from shared.offline.english_text import list_words
from shared.policy.clients.client_messages import INSTRUCTING, text_of

PIECE = re.compile(r"\S+\s*|\s+")  # a word and the space after it


def ask_stand_in(request: ModelRequest) -> Chunks:
    """Answer as the stand-in. Its usage counts words, as an estimate of tokens."""
    # Not joined: its parser looks for the newest message alone.
    messages = _plain(request.raw_messages or [entry.as_openai() for entry in request.messages])
    text = write_answer(messages)
    for piece in PIECE.findall(text):
        yield Chunk(text=piece)
    words_in = sum(len(list_words(message["content"])) for message in messages)
    usage = Usage(tokens_in=words_in, tokens_out=len(list_words(text)))
    yield Chunk(usage=usage, finish_reason="stop")


def _plain(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The messages as texts: clients may send content in parts, and results of tools."""
    return [
        {
            "role": "system" if message["role"] in INSTRUCTING else message["role"],
            "content": text_of(message.get("content")),
        }
        for message in messages
    ]
