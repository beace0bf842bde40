"""The words that say that a secret follows, in all languages: "password", "code … of the safe"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from shared.languages import LANGUAGES
from shared.languages.form import split_list
from shared.policy.facts.phrases import LETTER, plain

_LEAD = 3  # words between a label and "is": "the password at home is"


def _forms(words: Iterable[str]) -> str:
    """One pattern for all words, grouped by their first letters so that it is fast."""
    by_letter = defaultdict(set)
    for word in words:
        form = re.escape(plain(word)).replace(r"\*", r"\w*").replace(r"\ ", r"\s+")
        by_letter[form[0]].add(form)
    groups = (
        f"(?={re.escape(letter) if len(letter) == 1 and not letter.isalnum() else letter})"
        f"(?:{'|'.join(sorted(forms, key=len, reverse=True))})"
        for letter, forms in by_letter.items()
        if letter != "\\"
    )
    return "|".join(groups) or r"(?!)"


def _bounded(pattern: str, *, spaced: bool) -> str:
    return rf"(?<!{LETTER})(?:{pattern})(?!{LETTER})" if spaced else f"(?:{pattern})"


def _any_word(column: str, *, numbers_alone: bool = False) -> re.Pattern[str]:
    """Any word of a column in any language: those with a #, or those without."""
    patterns = []
    for is_spaced in (True, False):
        words = (
            word.rstrip("#")
            for language in LANGUAGES
            if language.spaced == is_spaced
            for word in split_list(getattr(language, column))
            if word.endswith("#") == numbers_alone
        )
        patterns.append(_bounded(_forms(words), spaced=is_spaced))
    return re.compile("|".join(patterns), re.IGNORECASE)


def _links(*, spaced: bool) -> str:
    return _forms(
        word for each in LANGUAGES if each.spaced == spaced for word in split_list(each.links)
    )


#: A label after which the secret itself may stand without a digit: "password".
LABELS = _any_word("labels")
NUMBER_LABELS = _any_word("labels", numbers_alone=True)
#: Labels beside a place: "code", "key". Other things are called so, too, so that only numbers near
#: them are secrets.
CODES, PLACES = _any_word("codes"), _any_word("places")
_LINK = rf"(?:(?<!\w)(?:{_links(spaced=True)})\s|[:=：]|{_links(spaced=False)})"
#: Behind a label, up to what it names.
NAMES_VALUE = re.compile(rf"(?:[^\S\n]+[\w-]+){{0,{_LEAD}}}?\s*{_LINK}\s*\S", re.IGNORECASE)
#: A secret before its label: "4711 is the code".
STANDS_BEFORE = re.compile(rf"(?P<value>[^\s,;:]+)\s+{_LINK}(?:\s*\w+)?\s*$", re.IGNORECASE)
