"""Find the remembered sentences that answer a question, by the terms that they share with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared.offline.grammar import PATTERNS, regex
from shared.offline.prompt_parser import MemoryItem
from shared.offline.words import TermWeights, list_terms, stem

FACT_BONUS = 1.8  # facts were checked before they were stored, sentences were only said
SYNONYM_SIMILARITY = 0.6  # of a term and a synonym; equal terms have 1
MIN_SHARE = 0.25  # of the question's weight that an answer must match
OTHER_SPEAKER = 0.6  # factor for Tom's quotes when the question names Ann
LENGTH_SCALE = 30  # terms; of two equal matches the shorter one is better
MAX_EQUAL = 5

# Synonyms: a question and its answer often use different words for the same thing.
SYNONYMS = """
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
GROUPS = [frozenset(map(stem, line.split())) for line in SYNONYMS.strip().splitlines()]
OWN_NAMES = ("name", "full_name", "first_name", "last_name", "family_name")
NAMING = next(group for group in GROUPS if stem("name") in group)


def find_matches(
    question: str, pool: Sequence[MemoryItem], *, is_knowledge: bool
) -> list[MemoryItem]:
    """All facts with the highest score, or the newest sentence with it; [] without a match.

    `is_knowledge`: the question is not about the user. Then synonyms do not count for facts, so
    "Where does Tom live?" is not answered with the user's home.
    """
    weights = TermWeights(map(_searched_text, pool))
    for pattern in PATTERNS["question rewrites"]:
        question = pattern.regex.sub(" ".join(pattern.fields), question)
    terms = list_terms(question)
    by_term = {term: weights.weigh(term) for term in terms}
    total = sum(by_term.values()) or 1.0
    owned = {term for phrase in regex("OWNED").findall(question) for term in list_terms(phrase)}
    named = {item.speaker for item in pool if set(list_terms(item.speaker)) & by_term.keys()}
    scores: dict[int, float] = {}
    for index, item in enumerate(pool):
        item_terms = frozenset(list_terms(_searched_text(item)))
        exactly = is_knowledge and item.kind == "fact"
        share = sum(
            weight * (float(term in item_terms) if exactly else _similarity(term, item_terms))
            for term, weight in by_term.items()
        )
        share /= total
        if share >= MIN_SHARE and _is_of_owner(item, item_terms, terms, owned - NAMING or owned):
            scores[index] = share * _factor(item, named)
    highest = max(scores.values(), default=0.0)
    best = [pool[index] for index, score in scores.items() if score == highest]
    return best[:MAX_EQUAL] if best and best[-1].kind == "fact" else best[-1:]


def _is_of_owner(
    item: MemoryItem, item_terms: frozenset[str], terms: Collection[str], owned: Collection[str]
) -> bool:
    """Whether `item` is about the things that the question calls the user's.

    "My name" must not match the name of my dog.
    """
    if not all(_similarity(term, item_terms) for term in owned):
        return False
    if item.kind != "fact" or not item.key.endswith("name"):
        return True
    if item.key in OWN_NAMES:
        return all(_similarity(term, item_terms) for term in terms)
    return any(_similarity(term, item_terms - NAMING) for term in terms)


def _factor(item: MemoryItem, named: set[str]) -> float:
    """`named` are the speakers that the question names."""
    if item.kind == "fact":
        return FACT_BONUS
    by_other = named and item.speaker and item.speaker not in named
    speaker_factor = OTHER_SPEAKER if by_other else 1.0
    return speaker_factor * LENGTH_SCALE / (LENGTH_SCALE + len(list_terms(item.text)))


def _similarity(term: str, item_terms: frozenset[str]) -> float:
    if term in item_terms:
        return 1.0
    group = next((group for group in GROUPS if term in group), frozenset())
    return SYNONYM_SIMILARITY if item_terms & group else 0.0


def _searched_text(item: MemoryItem) -> str:
    return f"{item.speaker} {item.key.replace('_', ' ')} {item.text}"
