"""Joins the chunks of a streamed answer: its text, its tools' calls and what else it has."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class CallPiece:
    """A piece of a call of a tool. Pieces of one call have the same index."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens, by the provider's count."""

    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """What one event of a stream adds to the answer. Most hold a piece of text alone."""

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    calls: Sequence[CallPiece] = ()
    usage: Usage | None = None
    finish_reason: str | None = None


#: An answer on its way. Closing it hangs up.
Chunks = Generator[Chunk, None, None]


class ChunkedAnswer:
    """`take` every chunk; then read the whole answer."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.finish_reason: str | None = None
        self._pieces: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}

    def take(self, chunk: Chunk) -> str:
        """Returns the chunk's piece of text, which may be empty."""
        self.usage = chunk.usage or self.usage
        self.finish_reason = chunk.finish_reason or self.finish_reason
        self._pieces.append(chunk.text)
        if chunk.reasoning:
            self._reasoning.append(chunk.reasoning)
        if chunk.refusal:
            self._refusal.append(chunk.refusal)
        for piece in chunk.calls:
            self._take_call(piece)
        return chunk.text

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def has_words(self) -> bool:
        """The model called tools or said why it refuses, instead of an answer."""
        return bool(self._calls or self._refusal)

    def extras(self) -> dict[str, Any]:
        """Fields of the message beside its text, in OpenAI's form. Empty for most answers."""
        texts = {"reasoning_content": self._reasoning, "refusal": self._refusal}
        found: dict[str, Any] = {name: "".join(pieces) for name, pieces in texts.items() if pieces}
        if self._calls:
            found["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        return found

    def _take_call(self, piece: CallPiece) -> None:
        call = self._calls.setdefault(
            piece.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = piece.id or call["id"]
        call["function"]["name"] += piece.name
        call["function"]["arguments"] += piece.arguments
