"""How much a shared word tells: the rarer it is among the texts, the more."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from shared.llm.offline.words import list_terms


class Rarity:
    """Inverse document frequency over a few texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._holding: Counter[str] = Counter()
        self._count = 0
        for text in texts:
            self._holding.update(set(list_terms(text)))
            self._count += 1

    def weigh(self, term: str) -> float:
        return math.log(1 + (self._count + 1) / (self._holding[term] + 0.5))

    def weigh_text(self, text: str) -> float:
        """How much a sentence says: its terms' weights, softened so that length does not win."""
        terms = set(list_terms(text))
        return sum(map(self.weigh, terms)) / math.sqrt(len(terms) + 1)
