"""Which remembered sentence answers a question: the one that shares its rarer words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared.offline.grammar import FORMS, word
from shared.offline.reading import Remembered
from shared.offline.words import Rarity, list_terms, stem

FACT_BONUS = 1.8  # a fact was checked before it was stored; a sentence was only said
SAME_THING_SHARE = 0.6  # of a word's weight, when only another word for the same thing is there
LEAST_SHARE = 0.25  # of the question's weight; with less in common nothing fits
OTHER_SPEAKER = 0.6  # what "what did Ann say" leaves of a quote that is not Ann's
SHORTER = 30  # terms; of two that share as much the shorter one says it more plainly
MAX_EQUAL = 5

# Words for the same thing, where a question and its answer seldom share one.
SAME_THING = """
live home city town moved located location residence reside
work job occupation profession employer living career
name called call named
old age years born birthday
allergic allergy allergies
favourite favorite prefer likes loves enjoy
hates dislike dislikes avoid
eat food diet vegetarian vegan avoid
partner husband wife spouse married
kids children kid child
speak languages language
study studying studies field
drive car
"""
GROUPS = [frozenset(map(stem, line.split())) for line in SAME_THING.strip().splitlines()]
OWN_NAMES = ("name", "full_name", "first_name", "last_name", "family_name")
NAMING = next(group for group in GROUPS if stem("name") in group)


def find_matches(
    question: str, pool: Sequence[Remembered], *, is_knowledge: bool
) -> list[Remembered]:
    """The best, of equals the newest; with a fact, the others that fit as well. [] where none does.

    A question of knowledge does not speak of the user. Then a fact must have its own words:
    "Where does Tom live?" is not answered with the user's home.
    """
    rarity = Rarity(map(_searched_text, pool))
    for form in FORMS["asked"]:
        question = form.says.sub(" ".join(form.heads), question)
    terms = list_terms(question)
    weights = {term: rarity.weigh(term) for term in terms}
    all_weight = sum(weights.values()) or 1.0
    owned = {term for phrase in word("OWNED").findall(question) for term in list_terms(phrase)}
    named = {item.speaker for item in pool if set(list_terms(item.speaker)) & weights.keys()}
    scores: dict[int, float] = {}
    for place, item in enumerate(pool):
        held = frozenset(list_terms(_searched_text(item)))
        by_word = is_knowledge and item.kind == "fact"
        found = {term: float(term in held) if by_word else _likeness(term, held) for term in terms}
        share = sum(weights[term] * like for term, like in found.items()) / all_weight
        if share >= LEAST_SHARE and _speaks_of(item, held, terms, owned - NAMING or owned):
            scores[place] = share * _fitness(item, named)
    highest = max(scores.values(), default=0.0)
    best = [pool[place] for place, score in scores.items() if score == highest]
    return best[:MAX_EQUAL] if best and best[-1].kind == "fact" else best[-1:]


def _speaks_of(
    item: Remembered, held: frozenset[str], terms: Collection[str], owned: Collection[str]
) -> bool:
    """Of the things that the question says are the user's; and "my name" is not my dog's."""
    if not all(_likeness(term, held) for term in owned):
        return False
    if item.kind != "fact" or not item.key.endswith("name"):
        return True
    if item.key in OWN_NAMES:
        return all(_likeness(term, held) for term in terms)
    return any(_likeness(term, held - NAMING) for term in terms)


def _fitness(item: Remembered, named: set[str]) -> float:
    if item.kind == "fact":
        return FACT_BONUS
    of_speaker = OTHER_SPEAKER if named and item.speaker and item.speaker not in named else 1.0
    return of_speaker * SHORTER / (SHORTER + len(list_terms(item.text)))


def _likeness(term: str, held: frozenset[str]) -> float:
    """A term has the first group that it stands in."""
    if term in held:
        return 1.0
    group = next((group for group in GROUPS if term in group), frozenset())
    return SAME_THING_SHARE if held & group else 0.0


def _searched_text(item: Remembered) -> str:
    return f"{item.speaker} {item.key.replace('_', ' ')} {item.text}"
