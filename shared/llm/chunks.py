"""Joins the chunks of a streamed answer: its text, its tools' calls and what else it has."""

from __future__ import annotations

from typing import Any

# Texts beside the answer's own. They come in pieces, too.
TEXTS = ("reasoning_content", "refusal")


class ChunkedAnswer:
    """`take` every chunk; then read the whole answer."""

    def __init__(self) -> None:
        self.usage: Any = None
        self._pieces: list[str] = []
        self._texts: dict[str, list[str]] = {name: [] for name in TEXTS}
        self._calls: dict[int, dict[str, Any]] = {}

    def take(self, chunk: Any) -> str:
        """Returns the chunk's piece of text, which may be empty."""
        self.usage = getattr(chunk, "usage", None) or self.usage
        delta = chunk.choices[0].delta if chunk.choices else None
        self._pieces.append(getattr(delta, "content", None) or "")
        for name, pieces in self._texts.items():
            if piece := getattr(delta, name, None):
                pieces.append(str(piece))
        for call in getattr(delta, "tool_calls", None) or ():
            self._take_call(call)
        return self._pieces[-1]

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def has_words(self) -> bool:
        """The model called tools or said why it refuses, instead of an answer."""
        return bool(self._calls or self._texts["refusal"])

    def extras(self) -> dict[str, Any]:
        """Fields of the message beside its text. Empty for most answers."""
        found: dict[str, Any] = {
            name: "".join(pieces) for name, pieces in self._texts.items() if pieces
        }
        if self._calls:
            found["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        return found

    def _take_call(self, delta: Any) -> None:
        index = getattr(delta, "index", None) or 0
        call = self._calls.setdefault(
            index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = getattr(delta, "id", None) or call["id"]
        function = getattr(delta, "function", None)
        for field in ("name", "arguments"):
            call["function"][field] += getattr(function, field, None) or ""
