"""Find the remembered sentences that answer a question, by the terms that they share with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.offline.english_text import TermWeights, list_terms, stem
from shared.offline.grammar import PATTERNS, regex
from shared.offline.prompt_parser import MemoryItem

FACT_BONUS = 1.8  # facts were checked before they were stored, sentences were not
SYNONYM_SIMILARITY = 0.6  # of a term and a synonym; equal terms have 1
MIN_SHARE = 0.25  # the share of the question's weight that an answer must match
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
BY_USER = ("", "User")
NAMING = next(group for group in GROUPS if stem("name") in group)


@dataclass(frozen=True, kw_only=True)
class _Question:
    weights: dict[str, float]  #: by term
    owned: set[str]  #: terms of things that the question says are the user's
    speakers: set[str]  #: whom the question names
    is_knowledge: bool


def find_matches(
    question: str, pool: Sequence[MemoryItem], *, is_knowledge: bool
) -> list[MemoryItem]:
    """The facts or the newest sentence with the highest score; [] without a match.

    `is_knowledge`: the question is not about the user. Then synonyms do not count for facts. So
    the answer to "Where does Tom live?" is not the user's home.
    """
    parsed = _parse(question, pool, is_knowledge=is_knowledge)
    scores = [_score(parsed, item) for item in pool]
    highest = max(scores, default=0.0)
    best = [item for item, score in zip(pool, scores, strict=True) if score == highest > 0]
    if best and best[-1].kind == "fact":
        return best[:MAX_EQUAL]
    return [_find_end(question, item, pool) for item in best[-1:]]


def _find_end(question: str, item: MemoryItem, pool: Sequence[MemoryItem]) -> MemoryItem:
    """The user's newer sentence that ends what they say in `item`; else `item`.

    "I drive a Skoda" has ended when "I sold the Skoda" was said later.
    """
    if item.speaker not in BY_USER:
        return item
    telling = set(list_terms(item.text)) - set(list_terms(question))
    later = pool[pool.index(item) + 1 :]
    ends = [
        other
        for other in later
        if other.kind in ("earlier", "said", "here")
        and other.speaker in BY_USER
        and regex("ENDED").search(other.text)
        and telling.intersection(list_terms(other.text))
    ]
    return ends[-1] if ends else item


def _parse(question: str, pool: Sequence[MemoryItem], *, is_knowledge: bool) -> _Question:
    for pattern in PATTERNS["question rewrites"]:
        question = pattern.regex.sub(" ".join(pattern.fields), question)
    weights = TermWeights(map(_searched_text, pool))
    terms = dict.fromkeys(list_terms(question))
    owned = {term for phrase in regex("OWNED").findall(question) for term in list_terms(phrase)}
    return _Question(
        weights={term: weights.weigh(term) for term in terms},
        owned=owned - NAMING or owned,
        speakers={item.speaker for item in pool if terms.keys() & set(list_terms(item.speaker))},
        is_knowledge=is_knowledge,
    )


def _score(question: _Question, item: MemoryItem) -> float:
    """The matched share of the question's weight, times a factor of the item; 0: no match."""
    item_terms = frozenset(list_terms(_searched_text(item)))
    exactly = question.is_knowledge and item.kind == "fact"
    matched = sum(
        weight * (float(term in item_terms) if exactly else _similarity(term, item_terms))
        for term, weight in question.weights.items()
    )
    share = matched / (sum(question.weights.values()) or 1.0)
    if share < MIN_SHARE or not _is_of_owner(question, item, item_terms):
        return 0.0
    return share * _factor(item, question.speakers)


def _is_of_owner(question: _Question, item: MemoryItem, item_terms: frozenset[str]) -> bool:
    """Whether `item` is about the things that the question says are the user's.

    "My name" must not match the name of my dog.
    """
    if not all(_similarity(term, item_terms) for term in question.owned):
        return False
    if item.kind != "fact" or not item.key.endswith("name"):
        return True
    if item.key in OWN_NAMES:
        return all(_similarity(term, item_terms) for term in question.weights)
    return any(_similarity(term, item_terms - NAMING) for term in question.weights)


def _factor(item: MemoryItem, speakers: set[str]) -> float:
    if item.kind == "fact":
        return FACT_BONUS
    is_of_other = speakers and item.speaker and item.speaker not in speakers
    speaker_factor = OTHER_SPEAKER if is_of_other else 1.0
    return speaker_factor * LENGTH_SCALE / (LENGTH_SCALE + len(list_terms(item.text)))


def _similarity(term: str, item_terms: frozenset[str]) -> float:
    if term in item_terms:
        return 1.0
    group = next((group for group in GROUPS if term in group), frozenset())
    return SYNONYM_SIMILARITY if item_terms & group else 0.0


def _searched_text(item: MemoryItem) -> str:
    return f"{item.speaker} {item.key.replace('_', ' ')} {item.text}"
