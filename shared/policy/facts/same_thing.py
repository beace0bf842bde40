"""Finds the fact on record that a candidate is about, under whatever key the model chose."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.models import Candidate, Fact
from shared.policy.facts.grounding.numbers import list_numbers, read_number_word
from shared.policy.facts.grounding.vocabulary import FILLERS
from shared.policy.facts.names import CANONICAL
from shared.policy.facts.values import plain_value
from shared.policy.folding import fold
from shared.policy.text_cache import cached_by_text

Heads = Mapping[tuple[str, str], Fact]  # (category, key) -> the newest version there

#: In these one thing has many keys: `allergy_kiwi`, `kiwi_allergy`. A cat may be a brother's.
STACKING = ("constraint", "preference")
#: Words of a key that tell nothing.
_EMPTY = frozenset(
    ("current", "my", "primary", "main", "present", "own", "the", "of", "for", "user", "users")
)
#: Words that mean the same in a key.
_SAME = {
    alias: word
    for word, aliases in {
        "partner": "wife husband spouse partner girlfriend boyfriend fiance fiancee",
        "car": "car vehicle automobile",
        "phone": "phone mobile telephone cellphone",
        "mother": "mother mom mum",
        "father": "father dad",
        "color": "color colour",
        "favorite": "favorite favourite fav preferred",
        "language": "language tongue",
        "limit": "limit max maximum limitation restriction",
        "distance": "distance range",
    }.items()
    for alias in aliases.split()
}
#: "mother tongue" and "first language", but not "mother" and "first" of other things.
_NATIVE = {"mother": "native", "first": "native"}
#: Words of keys and of the built-in helper's values for what is liked, and for what is not.
_LIKED = frozenset(
    [
        "like",
        "likes",
        "liked",
        "love",
        "loves",
        "enjoy",
        "enjoys",
        "favorite",
        "prefer",
        "prefers",
        "fan",
    ]
)
_DISLIKED = frozenset(
    [
        "dislike",
        "dislikes",
        "disliked",
        "hate",
        "hates",
        "hated",
        "avoid",
        "avoids",
        "never",
        "no",
        "not",
    ]
)
_NUMBER = re.compile(r"\d[\d.,']*")
CACHED = 1024  # facts: a tidying compares each with each
STEM = 4  # letters that words of two keys share: walk, walking


def find_key(candidate: Candidate, heads: Heads) -> str | None:
    """The key of the active fact that is about the same thing. None: no active fact is."""
    opposites = list_opposites(candidate, heads)
    active = [
        fact
        for (category, _), fact in heads.items()
        if category == candidate.category
        and fact.is_active
        and fact.key != candidate.key
        and fact not in opposites
    ]
    return next((fact.key for fact in active if is_same_thing(candidate, fact)), None)


def list_opposites(candidate: Candidate, heads: Heads) -> list[Fact]:
    """The active facts that the candidate contradicts: "hates olives" ends "likes olives"."""
    if candidate.retracts:
        return []
    return [
        fact
        for (category, _), fact in heads.items()
        if category == candidate.category
        and fact.is_active
        and fact.valid_from <= candidate.said_at
        and is_opposite(candidate, fact)
    ]


def is_new_measure(value: str, other: str) -> bool:
    """Whether both values are limits of one kind, such as "at most 5 kg" and "at most 10 kg"."""
    if _counts(value) != 1 or _counts(other) != 1:
        return False
    return bool(_unit(value) & _unit(other))


def is_same_thing(candidate: Candidate | Fact, fact: Fact) -> bool:
    """Whether both are about one thing. Their categories are the same, their keys are not."""
    in_order, others_in_order = key_words(candidate.key), key_words(fact.key)
    if in_order == others_in_order or CANONICAL.get(fact.key) == candidate.key:
        return True
    words, others = frozenset(in_order), frozenset(others_in_order)
    if candidate.value and _plain_value(candidate.value) == _plain_value(fact.value):
        return candidate.category in STACKING and (words <= others or words >= others)
    if "limit" not in words and "limit" not in others:
        return False
    shares = any(_is_stem(word, other) for word in words for other in others)
    return shares and is_new_measure(candidate.value, fact.value)


@cached_by_text(CACHED)
def key_words(key: str) -> tuple[str, ...]:
    """The telling words of a key, each by one of those that mean the same in keys."""
    words = tuple(_SAME.get(word, word) for word in key.split("_") if word not in _EMPTY)
    return tuple(_NATIVE.get(word, word) for word in words) if "language" in words else words


_plain_value = cached_by_text(CACHED)(plain_value)


def _is_stem(word: str, other: str) -> bool:
    return word == other or (len(word) >= STEM and word[:STEM] == other[:STEM])


def _unit(value: str) -> frozenset[str]:
    words = _NUMBER.sub(" ", fold(_plain_value(value))).split()
    units = (word for word in words if word not in FILLERS and not read_number_word(word))
    return frozenset(word.rstrip("s") for word in units)


@cached_by_text(CACHED)
def _counts(value: str) -> int:
    """How many numbers it has, in digits or in words."""
    in_words = sum(bool(read_number_word(word)) for word in _plain_value(value).split())
    return in_words + len(list(list_numbers(fold(value))))


@cached_by_text(CACHED, "".join)
def _taste(slot_value: tuple[str, str]) -> tuple[bool, str] | None:
    """Whether the value under this key is liked, and what. None: the fact is no taste."""
    key, value = slot_value
    words = _plain_value(value).split()
    verb = words[0] if words and words[0] in _LIKED | _DISLIKED else ""
    telling = frozenset((*(_SAME.get(word, word) for word in key.split("_")), verb))
    is_disliked, is_liked = bool(telling & _DISLIKED), bool(telling & _LIKED)
    if not (is_liked or is_disliked):
        return None
    return not is_disliked, " ".join(words[1:] if verb else words)


def is_opposite(candidate: Candidate | Fact, fact: Fact) -> bool:
    """Whether one of them is liked and the other disliked, and both are the same."""
    taste = _taste((candidate.key, candidate.value))
    other = _taste((fact.key, fact.value)) if taste else None
    if taste is None or other is None:
        return False
    return taste[0] != other[0] and taste[1] == other[1] != ""
