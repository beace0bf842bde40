"""Which remembered sentences answer a question: those that share its rarer words."""

from __future__ import annotations

from collections.abc import Sequence

from shared.llm.offline.rarity import Rarity
from shared.llm.offline.remembered import Remembered
from shared.llm.offline.words import list_terms, stem

FACT_BONUS = 1.5  # a fact was checked before it was stored; a sentence was only said
SAME_THING_SHARE = 0.6  # of a word's weight, when only another word for the same thing is there
CLOSE_TO_BEST = 0.7
MAX_MATCHES = 3

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


def find_matches(question: str, pool: Sequence[Remembered]) -> list[Remembered]:
    """The best few, the best first; of equals the newest. Empty when no word is shared."""
    rarity = Rarity(_searched_text(item) for item in pool)
    wanted = set(list_terms(question))
    scored = [(_score(wanted, item, rarity), place) for place, item in enumerate(pool)]
    ranked = sorted(scored, reverse=True)
    best = ranked[0][0] if ranked else 0
    close = [pool[place] for score, place in ranked if score and score >= best * CLOSE_TO_BEST]
    return _without_repeats(close)[:MAX_MATCHES]


def _score(wanted: set[str], item: Remembered, rarity: Rarity) -> float:
    held = set(list_terms(_searched_text(item)))
    score = sum(rarity.weigh(term) * _likeness(term, held) for term in wanted)
    return score * FACT_BONUS if item.kind == "fact" else score


def _likeness(term: str, held: set[str]) -> float:
    if term in held:
        return 1.0
    return SAME_THING_SHARE if held & _same_thing(term) else 0.0


def _same_thing(term: str) -> frozenset[str]:
    return next((group for group in GROUPS if term in group), frozenset())


def _searched_text(item: Remembered) -> str:
    return f"{item.key.replace('_', ' ')} {item.text}"


def _without_repeats(items: list[Remembered]) -> list[Remembered]:
    return list({item.text.lower().rstrip("."): item for item in reversed(items)}.values())[::-1]
