"""Find the known fact that a phrase refers to, and compare values with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from shared.models import Category
from shared.offline.english_text import list_terms, list_words, stem
from shared.offline.grammar import regex
from shared.offline.prompt_parser import KnownFact
from shared.policy.facts.slots import normalize_slot

MAX_CHARS, MAX_WORDS = 120, 12  # of a value
# Verbs of tastes: as they stand in a value, and in a sentence.
TASTES = {
    "likes": "like",
    "loves": "love",
    "hates": "hate",
    "dislikes": "dislike",
    "prefers": "prefer",
}
NAME = stem("name")
OTHERS_PRONOUNS = frozenset(list_words("his her their your its whose"))
# "My new boss" refers to the slot of "my boss"; "my old boss" does not.
PRESENT_WORDS = frozenset(map(stem, ("new", "current", "present")))
# Words that may follow a name: "my FitBox membership" refers to the fact with FitBox.
NAME_SUFFIXES = frozenset(
    map(stem, list_words("membership subscription account contract course lessons classes job"))
)
PROPER = re.compile(r"[A-Z\d]")  # a name or a number
ARTICLE = re.compile(r"(?:the|my|our|an?) ", re.I)


@dataclass(frozen=True, kw_only=True)
class FoundFact:
    """A candidate, with the fields of the facts prompt's JSON."""

    category: str
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool = False
    # The grammar reads plain statements alone.
    quote: str = ""
    whose: Literal["user"] = "user"
    how: Literal["stated"] = "stated"
    when: Literal["now"] = "now"
    keep: bool = True
    until: None = None


def is_usable_value(value: str) -> bool:
    """False for values that say nothing, as in "I love it" and "my car is broken"."""
    return 0 < len(list_words(value)) <= MAX_WORDS and not regex("NO_VALUE").search(value)


def find_named(phrase: str, known: Sequence[KnownFact]) -> KnownFact | None:
    """The fact that `phrase` refers to.

    None when it refers to none, when several are possible, or when it belongs to somebody else.
    """
    phrase = phrase.strip(" ,:;").replace("user name", "username")
    words = set(list_terms(phrase)) - PRESENT_WORDS
    if not words or OTHERS_PRONOUNS & set(list_words(phrase)):
        return None
    exact = [fact for fact in known if words == name_terms(fact)]
    matches = exact or [fact for fact in known if _refers_to(phrase, words, fact)]
    return matches[0] if len(matches) == 1 else None


def name_terms(fact: KnownFact) -> set[str]:
    """The terms that name a fact: `cat` for the key `cat_name`, `name` for the key `name`."""
    terms = set(list_terms(fact.key.replace("_", " ")))
    return terms - {NAME} or terms


def split_taste(fact: KnownFact) -> tuple[str, str]:
    """`likes tea` → `likes `, `tea`; a value without such a verb → "" and the whole value."""
    verb, _, thing = fact.value.partition(" ")
    return (f"{verb} ", thing) if verb in TASTES and thing else ("", fact.value)


def _refers_to(phrase: str, words: set[str], fact: KnownFact) -> bool:
    """Whether `phrase` names part of the slot, most of the value, or both together."""
    slot, value = name_terms(fact), set(list_terms(split_taste(fact)[1]))
    owners = {stem(word) for word in list_words(phrase) if word.endswith("'s")}
    if not owners <= slot:  # "Ruth's boss" is not my boss Ruth
        return False
    if words <= slot or slot < words <= slot | value:
        return True
    names = words - NAME_SUFFIXES
    by_name = bool(PROPER.search(ARTICLE.sub("", phrase))) or not ARTICLE.match(phrase)
    return bool(names) and by_name and names <= value and 2 * len(names) >= len(value)


def can_replace(former: str, value: str) -> bool:
    """Whether both values are of one kind: "in the garage" cannot replace a car's name, "Skoda".

    A name or number can replace a name or number, a place or time can replace a place or time.
    """
    same_place = bool(regex("PLACED").match(value)) == bool(regex("PLACED").match(former))
    return same_place and bool(PROPER.search(value) or not PROPER.search(former))


def with_preposition(former: str, value: str) -> str:
    """`value` with the preposition of the former one: "at 7:15", "9:40" → "at 9:40"."""
    preposition, own_preposition = regex("PLACED").match(former), regex("LED_BY").match(value)
    if preposition and not regex("PLACED").match(value):
        return f"{preposition[0]} {value}"
    return value[own_preposition.end() :] if own_preposition and not preposition else value


def apply_facts(known: Sequence[KnownFact], changes: Sequence[FoundFact]) -> list[KnownFact]:
    """Estimate the known facts after `changes`. The rules for conflicts decide later."""
    facts = {(fact.category, fact.key): fact for fact in known}
    for fact in changes:
        if fact.category not in get_args(Category):
            continue
        category, key = normalize_slot(fact.category, fact.key, fact.value)  # type: ignore[arg-type]
        facts.pop((category, key), None)
        if not fact.retracts:
            facts[category, key] = KnownFact(category=category, key=key, value=fact.value)
    return list(facts.values())
