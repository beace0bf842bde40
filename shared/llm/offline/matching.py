"""Which remembered sentence answers a question: the one that shares its rarer words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.llm.offline.rarity import Rarity
from shared.llm.offline.remembered import Remembered
from shared.llm.offline.words import list_terms, stem

FACT_BONUS = 1.5  # a fact was checked before it was stored; a sentence was only said
SAME_THING_SHARE = 0.6  # of a word's weight, when only another word for the same thing is there
LEAST_SHARE = 0.25  # of the question's weight; with less in common nothing fits
OTHER_SPEAKER = 0.6  # what "what did Ann say" leaves of a quote that is not Ann's
SHORTER = 30  # terms; of two that share as much the shorter one says it more plainly

# Words for the same thing, where a question and its answer seldom share one.
SAME_THING = (
    ("live", "home", "city", "town", "moved", "located", "location", "residence", "reside"),
    ("work", "job", "occupation", "profession", "employer", "living", "career"),
    ("name", "called", "call", "named"),
    ("old", "age", "years", "born", "birthday"),
    ("allergic", "allergy", "allergies"),
    ("favourite", "favorite", "prefer", "likes", "loves", "enjoy"),
    ("hates", "dislike", "dislikes", "avoid"),
    ("eat", "food", "diet", "vegetarian", "vegan"),
)
GROUPS = [frozenset(map(stem, group)) for group in SAME_THING]


def find_match(question: str, pool: Sequence[Remembered]) -> Remembered | None:
    """The best, of equals the newest. None where nothing fits."""
    rarity = Rarity(_searched_text(item) for item in pool)
    wanted = {term: rarity.weigh(term) for term in list_terms(question)}
    named = {item.speaker for item in pool if set(list_terms(item.speaker)) & wanted.keys()}
    shared = [(_share(wanted, item), place) for place, item in enumerate(pool)]
    fitting = [
        (share * _fitness(pool[place], named), place)
        for share, place in shared
        if share >= LEAST_SHARE
    ]
    return pool[max(fitting)[1]] if fitting else None


def _share(wanted: Mapping[str, float], item: Remembered) -> float:
    """How much of the question's weight the item has, 0..1."""
    held = set(list_terms(_searched_text(item)))
    found = sum(weight * _likeness(term, held) for term, weight in wanted.items())
    return found / (sum(wanted.values()) or 1.0)


def _fitness(item: Remembered, named: set[str]) -> float:
    if item.kind == "fact":
        return FACT_BONUS
    of_speaker = OTHER_SPEAKER if named and item.speaker and item.speaker not in named else 1.0
    return of_speaker * SHORTER / (SHORTER + len(list_terms(item.text)))


def _likeness(term: str, held: set[str]) -> float:
    if term in held:
        return 1.0
    return SAME_THING_SHARE if held & _same_thing(term) else 0.0


def _same_thing(term: str) -> frozenset[str]:
    return next((group for group in GROUPS if term in group), frozenset())


def _searched_text(item: Remembered) -> str:
    return f"{item.speaker} {item.key.replace('_', ' ')} {item.text}"
