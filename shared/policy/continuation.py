"""Continues a reply that broke off: asks the model, and joins its text to the reply.

Few providers continue an assistant message at the end of a prompt; some start again, some refuse.
So every model is asked to repeat the last words, and this module removes the repetition.
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
# All lengths are without white space, because models change it when they repeat text.
SOUGHT = 24  # characters at the end of the text that are searched for in the model's output
SHORT = 12  # a shorter text may occur by chance: it only counts at the beginning
OVERLAP = 6  # the fewest characters that count as a partial repetition
LEAD = 200  # characters to read before concluding that the model repeats nothing

CountTokens = Callable[[str], int]


def turns_to_continue(
    prefix: str, most_tokens: int, count_tokens: CountTokens
) -> tuple[tuple[Literal["assistant"], str], tuple[Literal["user"], str]]:
    """Two turns to append to the prompt: the text so far, and the request to go on.

    If the text has more than `most_tokens`, its beginning is left out.
    """
    request = CONTINUE.format(tail=_last_words(prefix, TAIL_CHARS))
    return ("assistant", _end_within(prefix, most_tokens, count_tokens)), ("user", request)


def without_continuation_turns(
    messages: Sequence[Mapping[str, str]],
) -> Sequence[Mapping[str, str]]:
    """The prompt without the turns that `turns_to_continue` has appended."""
    is_added = bool(messages) and messages[-1]["content"].startswith(ASKED)
    return messages[:-2] if is_added else messages


class Continuation:
    """Takes the pieces that a model writes, and returns the text to append to `prefix`."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._squeezed = _without_spaces(prefix)
        self._undecided = ""  # received text that may be new or repeated
        self._is_joined = False

    def take(self, piece: str) -> str:
        """The text to append now; "" while the model may still be repeating."""
        if self._is_joined:
            return piece
        self._undecided += piece
        rest = self._after_repeat()
        if rest is not None:
            return self._join(_aligned(self._prefix, rest)) if rest.strip() else ""
        text = _without_spaces(self._undecided)
        if len(text) <= LEAD or text in self._squeezed:
            return ""
        return self.end()

    def end(self) -> str:
        """The rest of the text, after the model's last piece."""
        if self._is_joined:
            return ""
        rest = self._after_repeat()
        if rest is not None:
            return self._join(_aligned(self._prefix, rest))
        new = _without_fence(self._prefix, self._undecided)
        text = _without_spaces(new)
        if len(text) >= SHORT and self._squeezed.startswith(text):
            return self._join("")
        overlap = _overlap(self._squeezed, text)
        if overlap:
            return self._join(_aligned(self._prefix, _after(new, overlap)))
        return self._join(_spaced(self._prefix, new))

    def _after_repeat(self) -> str | None:
        """The text after the repetition; None while there has been no repetition."""
        whole, text = self._squeezed, _without_spaces(self._undecided)
        if text.startswith(whole):
            return _after(self._undecided, len(whole))
        if whole.startswith(text):
            return None  # the model may be repeating the whole text
        sought = whole[-SOUGHT:]
        at = text.find(sought)
        if at < 0 or len(sought) < SHORT:
            return None
        return _after(self._undecided, at + len(sought))

    def _join(self, text: str) -> str:
        self._is_joined = True
        self._undecided = ""
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


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _after(text: str, count: int) -> str:
    """The text after its first `count` characters, not counting white space."""
    ends = [0, *(match.end() for match in re.finditer(r"\S", text))]
    return text[ends[count] :]


def _overlap(prefix: str, text: str) -> int:
    """The length of the longest start of `text` that is the end of `prefix`; 0 if too short."""
    longest = min(len(prefix), len(text))
    return next((n for n in range(longest, OVERLAP - 1, -1) if prefix.endswith(text[:n])), 0)


def _aligned(prefix: str, rest: str) -> str:
    """`rest` without the white space that `prefix` already ends with."""
    space = prefix[len(prefix.rstrip()) :]
    if rest.startswith(space):
        return rest[len(space) :]
    return rest.lstrip()


def _spaced(prefix: str, text: str) -> str:
    """`text` with a space before it if two words meet: models begin messages without a space."""
    if not (prefix and text):
        return text
    return f" {text}" if prefix[-1].isalnum() and text[0].isalnum() else text


def _without_fence(prefix: str, text: str) -> str:
    """`text` without the opening of a code block, if a code block of `prefix` is still open."""
    is_open = len(re.findall(r"^\s*```", prefix, re.MULTILINE)) % 2 == 1
    return re.sub(r"^\s*```.*\n", "", text, count=1) if is_open else text
