"""Which of the memory that a reply was given is found again in its words.

The measure counts words and numbers that the reply shares with an item and that the question does
not have. It does not know meaning: a reply in other words, or in another language, uses an item
without a trace, and common words may agree by chance. So it puts items in order, and
proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from shared.policy.facts.grounding.evidence import Part, count_overlap, list_parts
from shared.policy.facts.grounding.folding import fold, read_words

MIN_WORDS = 3  # of a sentence: fewer may agree by chance


@dataclass(frozen=True)
class Answered:
    """A reply and the message that it answers."""

    question: str
    reply: str

    @cached_property
    def _asked(self) -> frozenset[str]:
        return _forms(self.question)

    @cached_property
    def _said(self) -> frozenset[str]:
        return _forms(self.reply)

    def says_value(self, value: str) -> bool:
        """Whether the reply says all of a fact's value that the question has not said."""
        new = self._new_parts(value)
        return bool(new) and count_overlap(new, self._said) == len(new)

    def says_some(self, text: str) -> bool:
        """Whether the reply repeats a name or a number of a message, or several of its words."""
        new = self._new_parts(text)
        telling = [part for part in new if part.is_required]
        return count_overlap(telling, self._said) > 0 or (
            count_overlap(new, self._said) >= MIN_WORDS
        )

    def _new_parts(self, text: str) -> list[Part]:
        return [part for part in list_parts(text) if not count_overlap([part], self._asked)]


def _forms(text: str) -> frozenset[str]:
    return frozenset(word.text for word in read_words(fold(text)))
