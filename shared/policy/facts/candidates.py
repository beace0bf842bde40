"""Turns proposals into candidates: checked, in their slot, with the time of their message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from shared.models import Candidate, Category, ConversationId, Heard
from shared.policy.facts.proposals import Proposed
from shared.policy.facts.refusals import is_refused
from shared.policy.facts.slots import may_stack, normalize_key, normalize_slot
from shared.policy.facts.values import MAX_VALUE_CHARS, clean_value, plain_value

CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, kw_only=True)
class Floors:
    """The lowest confidence and importance that a candidate may have."""

    confidence: float
    importance: float


def check_candidates(
    proposed: Iterable[Proposed],
    heard: Sequence[Heard],
    conversation_id: ConversationId,
    floors: Floors,
) -> list[Candidate]:
    """The usable candidates, oldest first: the best for each slot and message."""
    by_sequence = {message.sequence_number: message for message in heard}
    candidates = [
        _make(fact, by_sequence[fact.seq], conversation_id)
        for fact in proposed
        if fact.seq in by_sequence and fact.category in CATEGORIES
    ]
    best = _best_per_slot(candidate for candidate in candidates if _is_usable(candidate, floors))
    return sorted(best, key=lambda candidate: candidate.said_at)


def _make(fact: Proposed, message: Heard, conversation_id: ConversationId) -> Candidate:
    value = clean_value(fact.value)
    category, key = normalize_slot(fact.category, fact.key, value)
    return Candidate(
        category=category,
        key=key,
        value=value,
        confidence=fact.confidence,
        importance=fact.importance,
        retracts=fact.retracts,
        said_at=message.created_at,
        turn=message.turn,
        source_conversation_id=conversation_id,
        source_sequence=message.sequence_number,
        valid_until=fact.until,
    )


def _is_usable(candidate: Candidate, floors: Floors) -> bool:
    return (
        bool(candidate.key)
        and (bool(candidate.value) or candidate.retracts)
        and len(candidate.value) <= MAX_VALUE_CHARS
        and floors.confidence <= candidate.confidence <= 1
        and (candidate.retracts or floors.importance <= candidate.importance <= 1)
        and not is_refused(candidate.category, candidate.key, candidate.value)
        and not _is_its_own_name(candidate)
    )


def _is_its_own_name(candidate: Candidate) -> bool:
    """`sister_name`, "Sister": what small models give where no name was said."""
    return candidate.key == f"{normalize_key(candidate.value)}_name"


def _best_per_slot(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """A statement before an end of the same slot. Then the most confident, the most important, the
    last one.
    """
    best: dict[tuple[int | None, str, str, str], Candidate] = {}
    for candidate in candidates:
        stacks = may_stack(candidate.category, candidate.key)
        value = plain_value(candidate.value) if stacks else ""
        slot = (candidate.source_sequence, candidate.category, candidate.key, value)
        if slot not in best or _rank(candidate) >= _rank(best[slot]):
            best[slot] = candidate
    yield from best.values()


def _rank(candidate: Candidate) -> tuple[bool, float, float]:
    return not candidate.retracts, candidate.confidence, candidate.importance
