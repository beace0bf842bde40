"""Going on with a reply that broke off: what the model is asked, and where its words join.

Few providers go on from a last assistant message by themselves; some begin anew, some refuse it.
So every model is asked to write the last words once more, and what it repeats is left out here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

ASKED = "Your last message broke off."
CONTINUE = (
    ASKED + " Its last words are:\n\n{tail}\n\nWrite these last words again, exactly as they "
    "stand, and go on from there to the end. Say nothing about this."
)
LEFT_OUT = "[…]\n"
TAIL_CHARS = 80
# All in characters that are no white space, which models do not repeat faithfully.
SOUGHT = 24  # the end of the text, which is looked for in what the model writes
SHORT = 12  # what is shorter than this is found everywhere: all of it must stand at the beginning
OVERLAP = 6  # the least that counts as repeated when only part of the tail is
LEAD = 200  # how much is read before the model is taken not to repeat anything

CountTokens = Callable[[str], int]


def turns_to_continue(
    kept: str, most_tokens: int, count_tokens: CountTokens
) -> tuple[tuple[Literal["assistant"], str], tuple[Literal["user"], str]]:
    """What goes after a prompt: the text so far, and the request to go on.

    Of a text that is longer than `most_tokens` the end is given.
    """
    asked = CONTINUE.format(tail=_last_words(kept, TAIL_CHARS))
    return ("assistant", _end_within(kept, most_tokens, count_tokens)), ("user", asked)


def asked_at_first(messages: Sequence[Mapping[str, str]]) -> Sequence[Mapping[str, str]]:
    """A prompt without what `turns_to_continue` has added."""
    is_added = bool(messages) and messages[-1]["content"].startswith(ASKED)
    return messages[:-2] if is_added else messages


class Joint:
    """Is fed with the pieces that a model writes; gives what goes after `kept`."""

    def __init__(self, kept: str) -> None:
        self._kept = kept
        self._squeezed = _squeeze(kept)
        self._held = ""  # what is not decided yet
        self._is_joined = False

    def take(self, piece: str) -> str:
        """What can be shown now: nothing while the model may still be repeating."""
        if self._is_joined:
            return piece
        self._held += piece
        rest = self._after_repeat()
        if rest is not None:
            return self._join(_aligned(self._kept, rest)) if rest.strip() else ""
        written = _squeeze(self._held)
        if len(written) <= LEAD or written in self._squeezed:
            return ""
        return self.end()

    def end(self) -> str:
        """What is left when the model has written its last piece."""
        if self._is_joined:
            return ""
        rest = self._after_repeat()
        if rest is not None:
            return self._join(_aligned(self._kept, rest))
        held = _without_fence(self._kept, self._held)
        written = _squeeze(held)
        if len(written) >= SHORT and self._squeezed.startswith(written):
            return self._join("")
        overlap = _overlap(self._squeezed, written)
        if overlap:
            return self._join(_aligned(self._kept, _after(held, overlap)))
        return self._join(_spaced(self._kept, held))

    def _after_repeat(self) -> str | None:
        """What follows the end of the kept text, if the model has repeated that."""
        whole, written = self._squeezed, _squeeze(self._held)
        if written.startswith(whole):
            return _after(self._held, len(whole))
        if whole.startswith(written):
            return None  # it may go on to repeat all of it
        sought = whole[-SOUGHT:]
        at = written.find(sought)
        if at < 0 or len(sought) < SHORT:
            return None
        return _after(self._held, at + len(sought))

    def _join(self, text: str) -> str:
        self._is_joined = True
        self._held = ""
        return text


def _last_words(text: str, most_chars: int) -> str:
    if len(text) <= most_chars:
        return text
    tail = text[-most_chars:]
    return re.sub(r"^\S*\s", "", tail, count=1) or tail


def _end_within(text: str, most_tokens: int, count_tokens: CountTokens) -> str:
    tokens = count_tokens(text)
    if tokens <= most_tokens:
        return text
    chars = max(TAIL_CHARS, len(text) * most_tokens // tokens)
    return LEFT_OUT + _last_words(text, chars)


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _after(text: str, count: int) -> str:
    """What follows the first `count` characters that are no white space."""
    places = [0, *(found.end() for found in re.finditer(r"\S", text))]
    return text[places[count] :]


def _overlap(kept: str, written: str) -> int:
    """How long the beginning of `written` is that `kept` ends with; 0 if that may be chance."""
    longest = min(len(kept), len(written))
    return next((n for n in range(longest, OVERLAP - 1, -1) if kept.endswith(written[:n])), 0)


def _aligned(kept: str, rest: str) -> str:
    """`rest` without the white space that `kept` ends with already."""
    space = kept[len(kept.rstrip()) :]
    if rest.startswith(space):
        return rest[len(space) :]
    return rest.lstrip()


def _spaced(kept: str, written: str) -> str:
    """Models begin a message without the space that would part its first word from the last."""
    if not (kept and written):
        return written
    return f" {written}" if kept[-1].isalnum() and written[0].isalnum() else written


def _without_fence(kept: str, written: str) -> str:
    """A code block that is still open is not opened again."""
    is_open = len(re.findall(r"^\s*```", kept, re.MULTILINE)) % 2 == 1
    return re.sub(r"^\s*```.*\n", "", written, count=1) if is_open else written
