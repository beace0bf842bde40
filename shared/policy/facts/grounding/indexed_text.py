"""A message indexed once: its words, numbers, months, days and concepts, for grounding."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from shared.policy.facts.grounding.dates import Span, spans_of
from shared.policy.facts.grounding.numbers import read_numbers
from shared.policy.facts.grounding.vocabulary import CONCEPTS, MONTHS, WESTERN
from shared.policy.facts.grounding.words import Word, pairs, read_words
from shared.policy.folding import fold

INFLECTED_SHARE = 0.3
PREFIX_CHARS = 3  # the first letters by which words are looked up
#: Concepts that are looked for in the text itself, since they are more or less than one word of it.
_PHRASES = [
    (phrase, concept)
    for phrase, concept in CONCEPTS.items()
    if " " in phrase or not phrase.isascii()
]
_CURRENCY = re.compile(r"[$€£¥₹₽]")


@dataclass(frozen=True)
class IndexedText:
    """A text and its indexes. "yesterday" is the day before `said_on`, the message's day."""

    content: str
    said_on: date
    folded: str = field(init=False)
    words: tuple[Word, ...] = field(init=False)

    def __post_init__(self) -> None:
        folded = fold(self.content)
        object.__setattr__(self, "folded", folded)
        object.__setattr__(self, "words", tuple(read_words(folded)))

    @cached_property
    def forms(self) -> frozenset[str]:
        """The distinct words, folded."""
        return frozenset(word.text for word in self.words)

    @cached_property
    def is_inflected(self) -> bool:
        """Whether the language may inflect names: hardly a word is Western European."""
        known = [word for word in self.words if word.text in WESTERN and len(word.text) > 1]
        return len(known) < INFLECTED_SHARE * len(self.words)

    @cached_property
    def numbers(self) -> set[str]:
        return read_numbers(self.words, self.folded)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Concepts of the words, signs and phrases in any language: "€" and "euros" share one."""
        signs = _CURRENCY.findall(self.folded)
        phrases = {concept for phrase, concept in _PHRASES if phrase in self.folded}
        return frozenset(CONCEPTS[w] for w in [*self.forms, *signs] if w in CONCEPTS) | phrases

    @cached_property
    def pairs(self) -> frozenset[str]:
        """The characters and the pairs of neighbouring characters of text without spaces."""
        return frozenset(
            pair
            for word in self.words
            if word.is_unspaced
            for pair in (*pairs(word.text), *word.text)
        )

    @cached_property
    def by_prefix(self) -> dict[str, list[str]]:
        """Folded words by their first `PREFIX_CHARS` letters."""
        forms: dict[str, list[str]] = defaultdict(list)
        for form in self.forms:
            forms[form[:PREFIX_CHARS]].append(form)
        return forms

    @cached_property
    def months(self) -> set[int]:
        return {MONTHS[form] for form in self.forms if form in MONTHS}

    @cached_property
    def spans(self) -> list[Span]:
        """The days that "yesterday", "on Friday" or "two years ago" may mean."""
        return spans_of(self.forms, self.folded, self.numbers, self.said_on)
