"""Values that a model has copied from its prompt, as small models do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from shared.models import Heard
from shared.policy.facts.grounding.words import read_words
from shared.policy.facts.proposals import Claimed
from shared.policy.folding import fold

Fact = TypeVar("Fact", bound=Claimed)


def without_copied(proposed: Iterable[Fact], messages: Sequence[Heard], prompt: str) -> list[Fact]:
    """Without the facts whose value has all its words from the prompt, and none from a message.

    A quote of the user's would support such a value.
    """
    of_prompt = _words(prompt) - _words(" ".join(message.content for message in messages))
    return [fact for fact in proposed if not fact.value or not _words(fact.value) <= of_prompt]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.text for word in read_words(fold(text)))
