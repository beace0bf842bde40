"""Separates the reasoning that a model writes before its answer from the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

#: Of the reasoning that is kept with a reply, in characters. The rest is not shown either.
MOST_KEPT = 20_000

_BLOCK = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
#: A template of the model may have opened the block already.
_OPENED_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
#: An answer that begins so is JSON; a text in it may speak of such blocks.
_JSON = ("{", "[", "```")


def without_reasoning(answer: str) -> str:
    """The answer without its `<think>` block. A block that is not closed goes on to the end."""
    if answer.lstrip().startswith(_JSON):
        return answer
    return _OPENED_BEFORE.sub("", _BLOCK.sub("", answer)).strip()


def reasoning_ms(trace: Mapping[str, Any] | None) -> int | None:
    """Milliseconds that the model reasoned, by the reply's trace. None: it did not reason."""
    reasoning = (trace or {}).get("reasoning")
    return reasoning["ms"] if reasoning else None


def kept_reasoning(trace: Mapping[str, Any]) -> str | None:
    """The model's reasoning, by the reply's trace. None: it did not reason."""
    reasoning = trace.get("reasoning")
    return reasoning["text"] if reasoning else None


#: What a streamed answer may begin with, and how that ends.
_MARKS = {"<think>": "</think>", "<thinking>": "</thinking>"}
_ENDS = {end: re.compile(end, re.IGNORECASE) for end in _MARKS.values()}
_MOST_SPACE = 1000  # before the block, in characters


class ReasoningFilter:
    """Separates an answer, piece by piece, from the block of reasoning that it may begin with.

    A block that the model's template has opened already is not recognised: until it ends, it looks
    like an answer.
    """

    def __init__(self) -> None:
        self._state: Literal["start", "reasoning", "gap", "answer"] = "start"
        self._held = ""  # cannot be told from a mark yet
        self._end_mark = ""

    def take(self, piece: str) -> tuple[str, str]:
        """Return what a piece adds to the answer, and what it adds to the reasoning."""
        if self._state == "answer":
            return piece, ""
        self._held += piece
        if self._state == "start":
            self._look_for_mark()
        reasoning = self._take_reasoning() if self._state == "reasoning" else ""
        if self._state == "gap" and (rest := self._held.lstrip()):
            self._state, self._held = "answer", rest
        return (self.finish() if self._state == "answer" else ""), reasoning

    def finish(self) -> str:
        """Return held-back text that belongs to the answer. Call it after the last piece."""
        rest = self._held if self._state in {"start", "answer"} else ""
        self._held = ""
        return rest

    def _look_for_mark(self) -> None:
        begin = self._held.lstrip().lower()
        mark = next((mark for mark in _MARKS if begin.startswith(mark)), None)
        if mark is not None:
            self._state, self._end_mark = "reasoning", _MARKS[mark]
            self._held = self._held.lstrip()[len(mark) :]
        elif len(self._held) > _MOST_SPACE or not any(
            begin_mark.startswith(begin) for begin_mark in _MARKS
        ):
            self._state = "answer"

    def _take_reasoning(self) -> str:
        if end := _ENDS[self._end_mark].search(self._held):
            reasoning = self._held[: end.start()]
            self._state, self._held = "gap", self._held[end.end() :]
            return reasoning
        tail = len(self._end_mark) - 1  # may be the beginning of the mark
        reasoning, self._held = self._held[:-tail], self._held[-tail:]
        return reasoning
