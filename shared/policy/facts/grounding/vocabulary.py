"""The language tables folded, and joined over all languages."""

from __future__ import annotations

from collections.abc import Iterator

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.grounding.synonyms import SAME
from shared.policy.facts.languages import LANGUAGES


def split_list(listed: str) -> list[str]:
    return [word.strip() for word in listed.split(",") if word.strip()]


def _folded(*columns: str) -> Iterator[str]:
    for column in columns:
        for phrase in split_list(column):
            yield from fold(phrase).replace("*", "").split()


# Words that need not be in the message: "works as", "years old", "the".
FILLERS = frozenset(
    word for one in LANGUAGES for word in _folded(one.common, one.own, one.frames, one.possessive)
)
ANDS = frozenset(word for one in LANGUAGES for word in _folded(one.ands))
#: "said", "told me".
REPORTS = frozenset(word for one in LANGUAGES for word in _folded(one.reports))
VERBS = frozenset(word for one in LANGUAGES for word in _folded(one.verbs, one.other_verbs))
_WESTERN = ("english", "german", "dutch", "french", "spanish", "italian", "portuguese")
#: Frequent words of languages that do not change names by their case.
WESTERN = frozenset(
    word
    for one in LANGUAGES
    if one.name in _WESTERN
    for word in _folded(one.common, one.own, one.possessive, one.verbs, one.negations)
)
NUMBERS = {
    fold(word).replace("-", " "): number
    for one in LANGUAGES
    for word, number in one.numbers.items()
}
#: Number words that are frequent words of Western languages: Turkish "on" and "bin".
AMBIGUOUS_NUMBERS = (
    frozenset(fold(word) for one in LANGUAGES if one.name not in _WESTERN for word in one.numbers)
    & WESTERN
)
MONTHS = {
    fold(word): number
    for one in LANGUAGES
    for number, word in enumerate(split_list(one.months), start=1)
}
WEEKDAYS = {
    fold(word): number for one in LANGUAGES for number, word in enumerate(split_list(one.weekdays))
}
DAYS = {fold(words): days for one in LANGUAGES for words, days in one.days.items()}
WEEKS = frozenset(word for one in LANGUAGES for word in _folded(one.weeks))
MONTH_UNITS = frozenset(word for one in LANGUAGES for word in _folded(one.month_units))
YEARS = frozenset(word for one in LANGUAGES for word in _folded(one.years))
CONCEPTS = {fold(word): name for name, words in SAME.items() for word in (*split_list(words), name)}
