"""Which of the memory that a reply was given is found again in its words.

The measure counts words and numbers that the reply shares with an item and that the question does
not have. It does not know meaning: a reply in other words, or in another language, uses an item
without a trace, and common words may agree by chance. So it puts items in order, and
proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.policy.facts.grounding.evidence import Part, count_overlap, list_parts
from shared.policy.facts.grounding.likeness import SHORT, is_inflection, likeness
from shared.policy.facts.grounding.words import read_words
from shared.policy.folding import fold

MIN_WORDS = 3  # of a sentence: fewer may agree by chance


@dataclass(frozen=True)
class Answered:
    """A reply and the message that it answers."""

    question: str
    reply: str

    @cached_property
    def _question_forms(self) -> frozenset[str]:
        return _forms(self.question)

    @cached_property
    def _reply_forms(self) -> frozenset[str]:
        return _forms(self.reply)

    def says_value(self, value: str) -> bool:
        """Whether the reply says all of a fact's value that the question has not said."""
        new = self._new_parts(value)
        return bool(new) and _count(new, self._reply_forms) == len(new)

    def says_some(self, text: str) -> bool:
        """Whether the reply repeats a name or a number of a message, or several of its words."""
        new = self._new_parts(text)
        telling = [part for part in new if part.is_required]
        return _count(telling, self._reply_forms) > 0 or (
            _count(new, self._reply_forms) >= MIN_WORDS
        )

    def _new_parts(self, text: str) -> list[Part]:
        return [part for part in list_parts(text) if not _count([part], self._question_forms)]


def _count(parts: Sequence[Part], forms: frozenset[str]) -> int:
    """How many of the parts the words say. "to" and "tomb" are no forms of the name "Tom"."""
    names = [part for part in parts if part.is_name and not part.word.is_unspaced]
    others = [part for part in parts if part not in names]
    return count_overlap(others, forms) + len([part for part in names if _has_name(part, forms)])


def _has_name(part: Part, forms: frozenset[str]) -> bool:
    name = part.word.text
    has_cases = len(name) > SHORT
    return name in forms or any(
        likeness(name, form, is_name=True) == 1 or (has_cases and is_inflection(name, form))
        for form in forms
    )


def _forms(text: str) -> frozenset[str]:
    return frozenset(word.text for word in read_words(fold(text)))


def repeats_value(value: str, text: str) -> bool:
    """Whether a text that was given a fact says it again: all of its value, or all names in it."""
    parts = list_parts(value)
    if not parts:
        return value in text
    forms = _forms(text)
    names = [part for part in parts if part.is_name or part.word.is_number]
    return _count(parts, forms) == len(parts) or (
        bool(names) and _count(names, forms) == len(names)
    )
