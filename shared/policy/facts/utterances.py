"""Indexes a message for the check of proposals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.models import Heard
from shared.policy.facts.grounding.evidence import SupportLevel, list_required, measure_support
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.grounding.words import read_words
from shared.policy.facts.own_text import own_text
from shared.policy.facts.proposals import Claimed, LabeledProposal
from shared.policy.facts.wishes import forget_requests, names_key, names_part_of, unwanted_parts
from shared.policy.folding import fold

LEAST_QUOTE_CHARS = 6  # a shorter quote could stand anywhere
_SENTENCE = re.compile(r"(?:[^.!?。！？؟।\n]|(?<=\d)[.](?=\d)|(?<=\b\w)[.])+[.!?。！？؟।\n]*")


@dataclass(frozen=True)
class Utterance:
    """A user message. Each of its properties is worked out once, when it is first needed."""

    message: Heard

    @cached_property
    def whole(self) -> IndexedText:
        return self._index(self.message.content)

    @cached_property
    def own_words(self) -> IndexedText:
        """The user's own words."""
        text = own_text(self.message.content)
        return self.whole if text == self.message.content else self._index(text)

    @cached_property
    def sentences(self) -> list[IndexedText]:
        return [self._index(each) for each in _SENTENCE.findall(self.own_words.content)]

    @cached_property
    def _unwanted(self) -> list[IndexedText]:
        parts = [] if self.message.has_no_wish else unwanted_parts(self.message.content)
        return [self._index(part) for part in parts]

    @cached_property
    def _forget_requests(self) -> list[IndexedText]:
        requests = [] if self.message.has_no_wish else forget_requests(self.message.content)
        return [self._index(request) for request in requests]

    def is_unwanted(self, value: str, quote: str) -> bool:
        """Whether the user asks not to remember the part of the message that says the value."""
        return bool(value or quote) and any(
            measure_support(value or quote, part) != "none" for part in self._unwanted
        )

    def asks_to_forget(self, fact: Claimed) -> bool:
        """Whether a request names the fact, by its value or by nothing but its key.

        "Forget what my cat is called" names `cat_name`.
        """
        return any(
            measure_support(fact.value, each) == "whole"
            or names_key(fact.key, each.content)
            or names_part_of(fact.value, each.content)
            for each in self._forget_requests
        )

    def says(self, quote: str) -> bool:
        """Whether the user's own words contain the quote. Case, accents and signs do not count."""
        return _contains(self.own_words, quote)

    def support(self, fact: LabeledProposal) -> SupportLevel:
        """How much of the value the user's own words say.

        A quote that stands there supports a value in other words, but for numbers, dates and names.
        """
        level = measure_support(fact.value, self.own_words)
        is_quoted = len(fact.quote) >= LEAST_QUOTE_CHARS and self.says(fact.quote)
        if is_quoted and all(
            measure_support(each, self.own_words) != "none" for each in required(fact)
        ):
            return "whole"
        return level

    def find_sentence(self, fact: LabeledProposal) -> int:
        """The place of the sentence that supports a fact; 0 if none does by itself."""
        places = enumerate(self.sentences)
        return next(
            (
                place
                for place, sentence in places
                if measure_support(fact.value, sentence) == "whole"
                or (fact.quote and _contains(sentence, fact.quote))
            ),
            0,
        )

    def _index(self, text: str) -> IndexedText:
        return IndexedText(text, self.message.created_at.date())


def required(fact: Claimed) -> Sequence[str]:
    """The numbers, dates and names of a value, which no other words replace."""
    return list_required(fact.value)


def _contains(text: IndexedText, quote: str) -> bool:
    words = " ".join(word.text for word in read_words(fold(quote)))
    return bool(words) and words in " ".join(word.text for word in text.words)
