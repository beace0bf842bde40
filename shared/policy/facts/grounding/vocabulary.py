"""The words of all languages, without case and accents, and synonyms across languages."""

from __future__ import annotations

from collections.abc import Iterator

from shared.languages import CONCEPTS as SYNONYMS
from shared.languages import LANGUAGES, NAMES
from shared.languages.form import split_list
from shared.policy.folding import fold


def _folded(*columns: str) -> Iterator[str]:
    for column in columns:
        for phrase in split_list(column):
            yield from fold(phrase).replace("*", "").split()


# Words that need not be in the message: "works as", "years old", "the".
FILLERS = frozenset(
    word
    for language in LANGUAGES
    for word in _folded(
        language.common, language.first_person, language.frames, language.possessive
    )
)
#: "live", "said", "told me".
VERBS = frozenset(word for language in LANGUAGES for word in _folded(language.verbs))
#: Frequent words of languages that do not change names by their case.
WESTERN = frozenset(
    word
    for language in LANGUAGES
    if language.keeps_names
    for word in _folded(
        language.common,
        language.first_person,
        language.possessive,
        language.verbs,
        language.negations,
    )
)
NUMBERS = {
    fold(word).replace("-", " "): number
    for language in LANGUAGES
    for word, number in language.numbers.items()
}
MONTHS = {
    fold(word): number
    for names in NAMES.values()
    for listed in (names.months_alone, names.months)
    for number, word in enumerate(listed.split("|"), start=1)
}
WEEKDAYS = {
    fold(word): number
    for names in NAMES.values()
    for number, word in enumerate(names.days.split("|"))
}
DAYS = {fold(words): days for language in LANGUAGES for words, days in language.days.items()}
WEEKS = frozenset(word for language in LANGUAGES for word in _folded(language.weeks))
MONTH_UNITS = frozenset(word for language in LANGUAGES for word in _folded(language.month_units))
YEARS = frozenset(word for language in LANGUAGES for word in _folded(language.years))
CONCEPTS = {
    fold(word): name for name, words in SYNONYMS.items() for word in (*split_list(words), name)
}
