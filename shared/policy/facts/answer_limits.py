"""What the proposals of one answer may take of the messages, whatever a model proposes."""

from __future__ import annotations

from collections import Counter

from shared.policy.facts.grounding.words import read_words
from shared.policy.facts.proposals import Outcome, Proposal
from shared.policy.facts.slots import is_single, normalize_slot
from shared.policy.facts.values import is_same_value
from shared.policy.folding import fold

MOST_IN_SENTENCE = 3  # facts that one sentence teaches

#: The sequence number of a message, and the place of the sentence in it.
Sentence = tuple[int, int]


class AnswerLimits:
    def __init__(self) -> None:
        self._sentences = Counter[Sentence]()
        self._values: dict[tuple[int, str, str], str] = {}
        self._numbers: dict[tuple[Sentence, str], str] = {}

    def limit(self, proposal: Proposal, outcome: Outcome, sentence: Sentence) -> Outcome:
        """A sentence teaches few facts, a message one value of a slot, and a number one slot."""
        self._sentences[sentence] += 1
        if self._sentences[sentence] > MOST_IN_SENTENCE:
            return "many"
        category, key = normalize_slot(proposal.category, proposal.key, proposal.value)
        is_new = self._claims_numbers(proposal, key, sentence)
        first = self._values.setdefault((proposal.seq, category, key), proposal.value)
        is_first = is_same_value(first, proposal.value) or not is_single(category, key)
        return outcome if is_new and is_first else "doubtful"

    def _claims_numbers(self, proposal: Proposal, key: str, sentence: Sentence) -> bool:
        """Whether no other slot has claimed a number of the value."""
        numbers = [word.text for word in read_words(fold(proposal.value)) if word.is_number]
        return all(self._numbers.setdefault((sentence, each), key) == key for each in numbers)
