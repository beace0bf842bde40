"""Separates the reasoning that a model writes before its answer from the answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from shared.policy.reasoning_marks import BLOCKS, LONE_ENDS, Block

#: Of the reasoning that is kept with a reply, in characters. The rest is not shown either.
MOST_KEPT = 20_000

#: In the pieces of an answer: all text before was reasoning. No text of a model has a NUL.
RETRACTION = "\x00"

_MOST_SPACE = 1000  # before the first mark, in characters
_BEGINS = tuple(block.begin for block in BLOCKS)
_MARKS = (*_BEGINS, *LONE_ENDS)
_LONGEST_BEGIN = max(map(len, _BEGINS))
#: A text that begins so is JSON or code, which may speak of marks.
_QUOTING = ("{", "[", "```")
_MOST_LOOKS = 20  # at lone ends; all others are text


def pattern_of(marks: Collection[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(mark) for mark in marks), re.IGNORECASE)


_ENDS = {block.ends: pattern_of(block.ends) for block in BLOCKS}
_LONE_END = pattern_of(LONE_ENDS)
_LONGEST_END = max(len(end) for block in BLOCKS for end in block.ends)
_OPEN_MARK = re.compile(r"[<\[◁][^<\[◁]*\Z")
#: A mark between these is a word of a sentence.
_QUOTED_BEFORE = re.compile(r"[^\w\s.!?:*)\]。！？][ \t]?\Z|[\w,][ \t]\Z")
_QUOTED_AFTER = re.compile(r"[ \t]*[^\W\d_A-Z]|[,;:.!?)\]}\"'”’»`]")


def without_reasoning(answer: str) -> str:
    """The answer without its reasoning. A block that is not closed goes on to the end."""
    return ReasoningFilter().finish(answer).text.strip()


def reasoning_ms(trace: Mapping[str, Any] | None) -> int | None:
    """Milliseconds that the model reasoned, by the reply's trace. None: it did not reason."""
    reasoning = (trace or {}).get("reasoning")
    return reasoning["ms"] if reasoning else None


def kept_reasoning(trace: Mapping[str, Any]) -> str | None:
    """The model's reasoning, by the reply's trace. None: it did not reason."""
    reasoning = trace.get("reasoning")
    return reasoning["text"] if reasoning else None


class Parts(NamedTuple):
    """What a piece of an answer adds to its text and to its reasoning."""

    text: str
    reasoning: str
    #: All text before this was reasoning, too: the model's template had opened the block.
    retracts: bool


class ReasoningFilter:
    """Separates an answer, piece by piece, from the blocks of reasoning that it may begin with.

    Marks count at the beginning of the answer. An end without a beginning counts where it does not
    stand in code or within a sentence: what came before it is reasoning.
    """

    def __init__(self) -> None:
        self._state: Literal["start", "block", "answer"] = "start"
        self._block: Block | None = None  # the newest one
        self._may_have_lone_end = True
        self._looks = 0  # at lone ends that turned out to be text
        self._is_over = False
        self._held = ""  # cannot be told from a mark yet
        self._shown: list[str] = []  # text of earlier pieces, while it may still be reasoning
        self._text: list[str] = []  # of this piece
        self._reasoning: list[str] = []
        self._retracts = False

    def take(self, piece: str) -> Parts:
        self._held += piece
        while self._take_step():
            pass
        parts = Parts("".join(self._text), "".join(self._reasoning), self._retracts)
        if self._may_have_lone_end:
            self._shown.append(parts.text)
        self._text, self._reasoning, self._retracts = [], [], False
        return parts

    def finish(self, piece: str = "") -> Parts:
        """Take the last piece, and return also what was held back."""
        self._is_over = True
        return self.take(piece)

    def _take_step(self) -> bool:
        """Whether there is more to read. False: the rest cannot be told yet."""
        if self._state == "start":
            return self._look_for_block()
        if self._state == "block":
            return self._read_block()
        if self._may_have_lone_end:
            return self._look_for_lone_end()
        self._text.append(self._cut(len(self._held)))
        return False

    def _look_for_block(self) -> bool:
        text = self._held.lstrip()
        begin = text[:_LONGEST_BEGIN].lower()
        block = next((block for block in BLOCKS if begin.startswith(block.begin)), None)
        if block is not None:
            self._state, self._block, self._held = "block", block, text[len(block.begin) :]
            self._may_have_lone_end = False
            return True
        if not self._may_have_lone_end and (end := _LONE_END.match(text)):
            self._held = text[end.end() :]  # the same end once more
            return True
        marks = _BEGINS if self._may_have_lone_end else _MARKS
        is_unsure = any(mark.startswith(begin) for mark in marks)
        if is_unsure and not self._is_over and (text or len(self._held) <= _MOST_SPACE):
            return False
        self._state = "answer"
        if not self._may_have_lone_end:
            self._held = text  # without the space after the block
        elif text.startswith(_QUOTING):
            self._may_have_lone_end = False
        return True

    def _read_block(self) -> bool:
        block = self._block
        if block is None:
            raise AssertionError
        match = _ENDS[block.ends].search(self._held)
        length = match.start() if match else len(self._held) - self._unsure_length(block.ends)
        (self._reasoning if block.is_reasoning else self._text).append(self._cut(length))
        if match:
            self._cut(len(match[0]))
            self._state = "start"
        return match is not None

    def _look_for_lone_end(self) -> bool:
        match = _LONE_END.search(self._held)
        if match is None:
            self._text.append(self._cut(len(self._held) - self._unsure_length(LONE_ENDS)))
            return False
        rest = self._held[match.end() :]
        if not (rest.strip(" \t") or self._is_over):
            return False  # what follows will tell
        before = "".join([*self._shown, *self._text, self._held[: match.start()]])
        if _is_end(before, match[0].lower(), rest):
            self._reasoning += [*self._text, self._cut(match.start())]
            self._cut(len(match[0]))
            self._text, self._retracts = [], any(self._shown)
            self._state, self._may_have_lone_end = "start", False
        else:
            self._text.append(self._cut(match.end()))
            self._looks += 1
            self._may_have_lone_end = self._looks < _MOST_LOOKS
        return True

    def _cut(self, length: int) -> str:
        begin, self._held = self._held[:length], self._held[length:]
        return begin

    def _unsure_length(self, marks: Collection[str]) -> int:
        """The length of the end that may be the beginning of a mark."""
        match = None if self._is_over else _OPEN_MARK.search(self._held[-_LONGEST_END:])
        begin = match[0].lower() if match else ""
        return len(match[0]) if match and any(mark.startswith(begin) for mark in marks) else 0


def _is_end(before: str, mark: str, rest: str) -> bool:
    """Whether a lone end ends reasoning. Else it is text, that speaks of it."""
    line = before.rpartition("\n")[2]
    is_code = before.count("```") % 2 == 1 or line.count("`") % 2 == 1
    if is_code or LONE_ENDS[mark] in before.lower():
        return False
    return not (_QUOTED_BEFORE.search(line) and _QUOTED_AFTER.match(rest))
