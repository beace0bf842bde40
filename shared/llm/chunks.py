"""The normal form of an answer: its text, its reasoning, tools' calls and how it ended.

Each way to a model yields `Chunk`s. `ChunkedAnswer` joins them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from shared.errors import ModelAnswerTooLargeError
from shared.llm.tool_calls import CallAssembly, CallPiece
from shared.policy.reasoning import Parts, ReasoningFilter
from shared.policy.text import TextJoiner, storable

# Five times the longest reply that is kept: a model may think before it, or call tools.
MAX_CHARS = 2_000_000
MAX_CALLS = 128  # of tools, as OpenAI's API allows
MOST_TOKENS = 2**31 - 1


Form = Literal["piece", "message", "whole"]


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens, by the provider's count."""

    tokens_in: int = 0
    tokens_out: int = 0
    #: The part of `tokens_in` that the provider took from its cache.
    tokens_cached: int = 0


def read_count(value: object) -> int:
    """Read a provider's count of tokens. 0: it is no number, or too large to be stored."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= len(str(MOST_TOKENS)):
        value = int(value)
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
    #: The server's own word.
    finish_reason: str | None = None
    #: Nothing more comes, and nothing is missing.
    is_done: bool = False
    #: A piece; a message that may begin with all pieces so far; or the whole message.
    form: Form = "piece"

    @property
    def is_empty(self) -> bool:
        return not (self.text or self.reasoning or self.refusal or self.calls)


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
        self.is_done = False
        self._filter = ReasoningFilter()
        self._text_joiner, self._reasoning_joiner = TextJoiner(), TextJoiner()
        self._so_far = _SoFar()
        self._pieces: list[str] = []
        self._reasoning: list[str] = []
        self._calls = CallAssembly()

    def take(self, chunk: Chunk) -> Parts:
        """Returns what the chunk adds to the text and to the reasoning. Both may be empty."""
        chunk = self._so_far.add(chunk, has_calls=bool(self._calls))
        self.usage = chunk.usage or self.usage
        self.finish_reason = chunk.finish_reason or self.finish_reason
        self.is_done = chunk.is_done or self.is_done
        self._calls.take(chunk.calls)
        self._check_size(chunk)
        parts = self._filter.take(self._text_joiner.take(chunk.text))
        return self._add(parts, self._reasoning_joiner.take(chunk.reasoning))

    def finish(self) -> Parts:
        """Call it after the last chunk. Returns what was held back."""
        parts = self._filter.finish(self._text_joiner.finish())
        return self._add(parts, self._reasoning_joiner.finish())

    def _add(self, parts: Parts, reasoning: str) -> Parts:
        if parts.retracts:
            self._reasoning += self._pieces
            self._pieces.clear()
        parts = parts._replace(reasoning=parts.reasoning + reasoning)
        self._pieces.append(parts.text)
        self._reasoning.append(parts.reasoning)
        return parts

    def _check_size(self, chunk: Chunk) -> None:
        of_calls = sum(piece.size for piece in chunk.calls)
        self._chars += len(chunk.text) + len(chunk.reasoning) + len(chunk.refusal) + of_calls
        if self._chars > MAX_CHARS or len(self._calls) > MAX_CALLS:
            raise ModelAnswerTooLargeError

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def has_words(self) -> bool:
        """Whether the model has called tools, or has said why it refuses."""
        return bool(self._calls or self._so_far.refusal.strip())

    def extras(self) -> dict[str, Any]:
        """Fields of the message beside its text, in OpenAI's form. Empty for most answers."""
        texts = {
            "reasoning_content": "".join(self._reasoning),
            "refusal": storable(self._so_far.refusal),
        }
        fields: dict[str, Any] = {name: text for name, text in texts.items() if text}
        if calls := self._calls.as_openai():
            if len(calls) > MAX_CALLS:
                raise ModelAnswerTooLargeError
            fields["tool_calls"] = calls
        return fields


class _SoFar:
    """What has come, as it came. A server may send all of it once more at the end, or each time."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {"text": [], "reasoning": [], "refusal": []}

    @property
    def refusal(self) -> str:
        return "".join(self._texts["refusal"])

    def add(self, chunk: Chunk, *, has_calls: bool) -> Chunk:
        """Returns the chunk without what was there before."""
        if chunk.form != "piece":
            chunk = replace(
                chunk,
                text=self._rest("text", chunk),
                reasoning=self._rest("reasoning", chunk),
                refusal=self._rest("refusal", chunk),
                calls=() if has_calls else chunk.calls,
            )
        for name, pieces in self._texts.items():
            if text := getattr(chunk, name):
                pieces.append(text)
        return chunk

    def _rest(self, name: str, chunk: Chunk) -> str:
        text, so_far = getattr(chunk, name), "".join(self._texts[name])
        if text.startswith(so_far):
            rest = text[len(so_far) :]
            # Reasoning may have come within the text before.
            is_known = chunk.form == "whole" and rest.strip() in "".join(self._texts["text"])
            return "" if is_known else rest
        return "" if chunk.form == "whole" else text
