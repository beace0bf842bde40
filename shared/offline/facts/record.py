"""What is on record, and which of it a phrase means: what it names, or whose value it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from shared.models import Category
from shared.offline.grammar import word
from shared.offline.phrasing import TASTES
from shared.offline.reading import Known
from shared.offline.words import list_terms, list_words, stem
from shared.policy.facts.slots import normalize_slot

MAX_CHARS, MAX_WORDS = 120, 12  # of a value
NAME = stem("name")
OF_OTHERS = frozenset(list_words("his her their your its whose"))
# "My new boss" has the slot of my boss; my old boss has not.
OF_NOW = frozenset(map(stem, ("new", "current", "present")))
# What is ended by name: "my FitBox membership" is whatever FitBox is.
BESIDE_NAMES = frozenset(
    map(stem, list_words("membership subscription account contract course lessons classes job"))
)
MARKED = re.compile(r"[A-Z\d]")
ARTICLE = re.compile(r"(?:the|my|our|an?) ", re.I)


@dataclass(frozen=True, kw_only=True)
class FoundFact:
    """One candidate; the fields are those of the facts prompt's JSON."""

    category: str
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool = False


def fits(value: str) -> bool:
    """Whether a value says something: "I love it" does not, nor does "my car is broken"."""
    return 0 < len(list_words(value)) <= MAX_WORDS and not word("NO_VALUE").search(value)


def find_named(phrase: str, known: Sequence[Known]) -> Known | None:
    """None too where it may be more than one, or is somebody else's."""
    phrase = phrase.strip(" ,:;").replace("user name", "username")
    words = set(list_terms(phrase)) - OF_NOW
    if not words or OF_OTHERS & set(list_words(phrase)):
        return None
    exact = [fact for fact in known if words == name_terms(fact)]
    meant = exact or [fact for fact in known if _means(phrase, words, fact)]
    return meant[0] if len(meant) == 1 else None


def name_terms(fact: Known) -> set[str]:
    """`cat_name` is the cat; `name` is the name."""
    terms = set(list_terms(fact.key.replace("_", " ")))
    return terms - {NAME} or terms


def thing_of(fact: Known) -> tuple[str, str]:
    """`likes tea` → `likes `, `tea`; of another fact the whole value is the thing."""
    verb, _, thing = fact.value.partition(" ")
    return (f"{verb} ", thing) if verb in TASTES and thing else ("", fact.value)


def _means(phrase: str, words: set[str], fact: Known) -> bool:
    """By a part of the slot's name, by most of the value, or by both together."""
    slot, value = name_terms(fact), set(list_terms(thing_of(fact)[1]))
    if not _owners_fit(phrase, slot):
        return False
    if words <= slot or slot < words <= slot | value:
        return True
    named = words - BESIDE_NAMES
    by_name = bool(MARKED.search(ARTICLE.sub("", phrase))) or not ARTICLE.match(phrase)
    return bool(named) and by_name and named <= value and 2 * len(named) >= len(value)


def _owners_fit(phrase: str, slot: set[str]) -> bool:
    """ "Ruth's boss" is not my boss Ruth."""
    owners = [word for word in list_words(phrase) if word.endswith("'s")]
    return {stem(owner) for owner in owners} <= slot


def is_alike(former: str, value: str) -> bool:
    """Whether `value` can stand where `former` stood: my car is a Skoda, but not in the garage.

    What was a name or a number stays one, and what was somewhere, or at some time, too.
    """
    is_placed = bool(word("PLACED").match(value)) == bool(word("PLACED").match(former))
    return is_placed and bool(MARKED.search(value) or not MARKED.search(former))


def reword(former: str, value: str) -> str:
    """`value` with the preposition that the former one had: "at 7:15", "9:40" → "at 9:40"."""
    led, leads = word("PLACED").match(former), word("LED_BY").match(value)
    if led and not word("PLACED").match(value):
        return f"{led[0]} {value}"
    return value[leads.end() :] if leads and not led else value


def keep(known: Sequence[Known], found: Sequence[FoundFact]) -> list[Known]:
    """What is on record once `found` is, by and large: the rules of conflict may say otherwise."""
    held = {(fact.category, fact.key): fact for fact in known}
    for fact in found:
        if fact.category not in get_args(Category):
            continue
        category, key = normalize_slot(fact.category, fact.key, fact.value)  # type: ignore[arg-type]
        held.pop((category, key), None)
        if not fact.retracts:
            held[category, key] = Known(category=category, key=key, value=fact.value)
    return list(held.values())
