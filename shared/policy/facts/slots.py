"""Slots: a category and a key in one spelling, and whether several values may stack in it.

Identity and preference slots have one value. A second constraint (another allergy, say) must not
replace the first, so constraints stack: each gets a key of its own, unless there can only be one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from shared.models import Candidate, Category
from shared.policy.facts.grounding.vocabulary import CONCEPTS
from shared.policy.facts.names import CANONICAL, CATEGORY_OF, PLURAL, SINGLE_CONSTRAINTS
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.same_thing import Heads, find_key, is_new_measure
from shared.policy.facts.values import fingerprint, is_same_value, plain_value

MAX_KEY_CHARS = 64
MARK_CHARS = 8
TEMPORARY = "temporary"

_WORD_EDGE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")  # homeCity
_NO_WORD = re.compile(r"[\W_]+")
_OWNER = re.compile(r"^(?:(?:the_)?users?_|my_|their_|current_)+(?=.)")
# A person follows one of these diets; "gluten-free" can be combined with each of them.
_WAYS_OF_EATING = frozenset(
    ("vegan", "vegetarian", "pescatarian", "pescetarian", "flexitarian", "omnivore", "meat")
)


def normalize_slot(category: Category, key: str, value: str) -> tuple[Category, str]:
    """The stored category and key. The key is "" when it has no letter or digit."""
    plain = normalize_key(key)
    known = CANONICAL.get(plain, plain)
    category = CATEGORY_OF.get(known, category)
    if value and (known in PLURAL or (known == "diet" and not _is_way_of_eating(value))):
        return category, stacked_key(known, value)
    return category, known


#: Of what no day ends.
_LASTING_KEY = re.compile(
    r"name|birth|(?:^|_)age(?:_|$)|allerg|intoleran|disease|gender|pronoun|nationalit|language|origin"
)


def normalize_key(key: str) -> str:
    """`Home City`, `home-city`, `homeCity` and `user's home city` are `home_city`."""
    text = unicodedata.normalize("NFKC", key).replace("'s ", " ").replace("’s ", " ")
    # Folding the case takes some letters apart: ᾶ, which is composed again, and İ.
    folded = _WORD_EDGE.sub("_", text).casefold().replace("i\u0307", "i")
    folded = unicodedata.normalize("NFKC", folded)
    words = _NO_WORD.sub("_", folded).strip("_")
    return _OWNER.sub("", words)[:MAX_KEY_CHARS].strip("_")


def stacked_key(key: str, value: str) -> str:
    """`allergy`, `Peanuts` → `allergy_peanuts`; different values get different keys."""
    full = f"{key}_{normalize_key(value) or fingerprint('', value)[:MARK_CHARS]}"
    if len(full) <= MAX_KEY_CHARS and len(normalize_key(value)) < MAX_KEY_CHARS:
        return full
    return f"{full[: MAX_KEY_CHARS - MARK_CHARS - 1]}_{fingerprint('', value)[:MARK_CHARS]}"


def may_stack(category: Category, key: str) -> bool:
    """Whether another value under this key is added to the first, and does not replace it."""
    return category == "constraint" and key not in SINGLE_CONSTRAINTS


def may_end_on_a_day(key: str) -> bool:
    """Whether a fact with this key may hold until a day. Names and allergies have no last day."""
    return not _LASTING_KEY.search(key)


def temporary_key(category: Category, key: str) -> str:
    """The key of a fact that holds until a day, beside the lasting fact.

    Who is in Rome until Friday still lives in Lyon.
    """
    _, known = normalize_slot(category, key, "")
    return f"{TEMPORARY}_{known}" if known in CATEGORY_OF else key


def is_temporary(key: str) -> bool:
    return key.startswith(f"{TEMPORARY}_")


def is_single(category: Category, key: str) -> bool:
    """Whether a proposed value takes the place of the one on record."""
    category, known = normalize_slot(category, key, "")
    return known not in PLURAL and not may_stack(category, known)


def choose_key(candidate: Candidate, heads: Heads) -> str:
    """The key that this candidate means, given the newest version in each slot.

    Where values stack, the plain key stays with its first value, even after that value has ended.
    Otherwise another value could take the key, and a second reading of the old message would bring
    the first value back under a stacked key.
    """
    head = heads.get((candidate.category, candidate.key))
    if head is None or not head.is_active:
        known = find_key(candidate, heads)
        if known is not None:
            return known
    if head is None:
        return _only_stacked_key(candidate, heads) if candidate.retracts else candidate.key
    if not candidate.value or is_same_value(candidate.value, head.value):
        return candidate.key
    if may_stack(candidate.category, candidate.key) and not (
        head.is_active and is_new_measure(candidate.value, head.value)
    ):
        return stacked_key(candidate.key, candidate.value)
    return candidate.key


def _only_stacked_key(candidate: Candidate, heads: Heads) -> str:
    """A retraction of `allergy` means `allergy_peanuts` if that is the one allergy on record."""
    stem = f"{candidate.key}_"
    stacked = [
        key
        for (category, key), fact in heads.items()
        if category == candidate.category and key.startswith(stem) and fact.is_active
    ]
    return stacked[0] if len(stacked) == 1 else candidate.key


def values_by_slot(facts: Iterable[Claimed]) -> dict[tuple[str, str], list[str]]:
    values: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        values.setdefault(normalize_slot(fact.category, fact.key, ""), []).append(fact.value)
    return values


def values_of(slot: tuple[str, str], values: Mapping[tuple[str, str], list[str]]) -> list[str]:
    """The values of a slot, and of those that stack on it: `allergy_peanuts` of `allergy`."""
    category, key = slot
    return [
        value
        for (of_category, of_key), here in values.items()
        if of_category == category and f"{of_key}_".startswith(f"{key}_")
        for value in here
    ]


def _is_way_of_eating(value: str) -> bool:
    words = plain_value(value).split()
    return not _WAYS_OF_EATING.isdisjoint(CONCEPTS.get(word, word) for word in words)
