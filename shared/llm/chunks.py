"""Joins the chunks of a streamed answer: its text, its tools' calls and what else it has."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from shared.errors import ModelAnswerTooLargeError
from shared.policy.reasoning import ReasoningFilter

# Five times the longest reply that is kept: a model may think before it, or call tools.
MAX_CHARS = 2_000_000
MAX_CALLS = 128  # of tools, as OpenAI's API allows
MOST_TOKENS = 2**31 - 1


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
    #: The part of `tokens_in` that the provider took from its cache.
    tokens_cached: int = 0


def read_count(value: object) -> int:
    """Read a provider's count of tokens. 0: it is no number, or too large to be stored."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value <= MOST_TOKENS else 0


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
    """`take` every chunk, then `finish`; then read the whole answer.

    Raises `ModelAnswerTooLargeError` for more than `MAX_CHARS` or `MAX_CALLS`.
    """

    def __init__(self) -> None:
        self._chars = 0
        self.usage = Usage()
        self.finish_reason: str | None = None
        self._filter = ReasoningFilter()
        self._pieces: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._calls: dict[int, list[CallPiece]] = {}

    def take(self, chunk: Chunk) -> tuple[str, str]:
        """Returns the chunk's piece of text, and its piece of reasoning. Both may be empty."""
        self.usage = chunk.usage or self.usage
        self.finish_reason = chunk.finish_reason or self.finish_reason
        text, within_text = self._filter.take(chunk.text)
        self._pieces.append(text)
        if reasoning := chunk.reasoning + within_text:
            self._reasoning.append(reasoning)
        if chunk.refusal:
            self._refusal.append(chunk.refusal)
        for piece in chunk.calls:
            self._calls.setdefault(piece.index, []).append(piece)
        self._check_size(chunk)
        return text, reasoning

    def finish(self) -> str:
        """Call it after the last chunk. Returns what was held back of the text."""
        rest = self._filter.finish()
        self._pieces.append(rest)
        return rest

    def _check_size(self, chunk: Chunk) -> None:
        of_calls = sum(1 + len(piece.arguments) + len(piece.name) for piece in chunk.calls)
        self._chars += len(chunk.text) + len(chunk.reasoning) + len(chunk.refusal) + of_calls
        if self._chars > MAX_CHARS or len(self._calls) > MAX_CALLS:
            raise ModelAnswerTooLargeError

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def has_words(self) -> bool:
        """Whether the model has called tools, or has said why it refuses."""
        return bool(self._calls or self._refusal)

    def extras(self) -> dict[str, Any]:
        """Fields of the message beside its text, in OpenAI's form. Empty for most answers."""
        texts = {"reasoning_content": self._reasoning, "refusal": self._refusal}
        fields: dict[str, Any] = {name: "".join(pieces) for name, pieces in texts.items() if pieces}
        if self._calls:
            fields["tool_calls"] = [_join(self._calls[index]) for index in sorted(self._calls)]
        return fields


def _join(pieces: Sequence[CallPiece]) -> dict[str, Any]:
    """The call of a tool, in OpenAI's form."""
    return {
        "id": next((piece.id for piece in reversed(pieces) if piece.id), ""),
        "type": "function",
        "function": {
            "name": "".join(piece.name for piece in pieces),
            "arguments": "".join(piece.arguments for piece in pieces),
        },
    }
