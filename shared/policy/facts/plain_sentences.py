"""Reads the plainest sentences about the user: "My name is …", "Ich wohne in …".

The forms stand in each language's file. A message counts only if all of it is such sentences and
small talk: "I live in Rome. No, wait, I meant Bern." has another one.
"""

from __future__ import annotations

import functools
import re

from shared.languages import LANGUAGES
from shared.languages.form import Language, split_list
from shared.policy.facts.grounding.vocabulary import FILLERS
from shared.policy.facts.grounding.words import read_words
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.facts.values import is_same_value
from shared.policy.folding import fold

MAX_CHARS = 400
MAX_VALUE_WORDS = 3
STEM_CHARS = 5
#: Keys whose values are names, with a capital where the script has them.
_NAMED = ("name", "home_city", "employer")
_SENTENCE_END = re.compile(r"(?<=[^\s.]{2})(?:[.!।]+(?=\s|$)|[。！\n]+)\s*")
_LEAD = re.compile(r"^\s*(?:\w+[,!]\s+)(?=\w)")  # "Hello, my name is Ada"
_SIGN = r"[^\s,;:?()\"“„«…]"
_VALUE = rf"(?P<value>{_SIGN}+(?:[ -]{_SIGN}+){{0,{MAX_VALUE_WORDS - 1}}})"


def reads_alike(fact: Claimed, text: str) -> bool:
    """Whether a plain sentence of `text` states the fact, and all of the text is plain."""
    if len(text) > MAX_CHARS:
        return False
    category, key = normalize_slot(fact.category, fact.key, "")
    read = [_read(sentence) for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    return all(each is not None for each in read) and any(
        normalize_slot(category, own_key, "")[1] == key and is_same_value(fact.value, value)
        for each in read
        for own_key, value in each or ()
    )


@functools.cache
def list_stems(key: str) -> frozenset[str]:
    """The beginnings of the words by which languages name what a key is about: "allerg"."""
    return frozenset(
        word.text[:STEM_CHARS]
        for language in LANGUAGES
        for word in read_words(fold(language.plain.get(key, "").replace("{}", " ")))
        if len(word.text) >= STEM_CHARS or (word.is_unspaced and word.text not in FILLERS)
    )


def _read(sentence: str) -> list[tuple[str, str]] | None:
    """Key and value of a plain sentence; several where languages share a form. None: it is none."""
    bare = sentence.strip()
    if is_small_talk(bare):
        return []
    lead = _LEAD.match(bare)
    if lead and is_small_talk(lead[0]):
        bare = bare[lead.end() :]
    slot_values = [
        (key, match["value"])
        for key, pattern in _patterns()
        if (match := pattern.fullmatch(bare)) and _is_value(key, match["value"])
    ]
    return slot_values or None


def _is_value(key: str, value: str) -> bool:
    first = value[:1]
    has_case = first.lower() != first.upper()
    return not (key in _NAMED and has_case and first.islower())


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (key, _compile(form, language))
        for language in LANGUAGES
        for key, forms in language.plain.items()
        for form in split_list(forms)
    )


def _compile(form: str, language: Language) -> re.Pattern[str]:
    before, _, after = (re.escape(part).replace(r"\ ", r"\s+") for part in form.partition("{}"))
    value = _VALUE if language.spaced else r"(?P<value>[^\s,，、;:?？()]{1,12}?)"
    before = before.replace("'", "['’]")
    return re.compile(rf"{before}{value}{after}", re.IGNORECASE)
