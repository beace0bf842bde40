"""Writes what a tidying does to facts. All of it can be undone, and nothing is deleted."""

from __future__ import annotations

from shared.db import PgConnection
from shared.errors import ConflictError
from shared.facts import changes
from shared.models import Candidate, Fact, UserId, fact_learned, fact_replaced
from shared.policy.facts.tidying import Pair, Plan
from shared.store import events
from shared.store.facts import tidied
from shared.store.facts import versions as fact_versions


def apply_plan(connection: PgConnection, user_id: UserId, plan: Plan) -> None:
    """Make the changes that are still possible: facts may have changed since they were read.

    The caller has locked the user.
    """
    facts = [fact for pair in (*plan.joins, *plan.doubts) for fact in (pair.fact, pair.other)]
    facts += [end.fact for end in plan.ends]
    ids = sorted({fact.fact_id for fact in facts})
    current = fact_versions.list_by_ids(connection, user_id, ids)
    for pair in plan.joins:
        if pair.fact in current and pair.other in current:
            tidied.join_fact(connection, user_id, pair.fact, pair.other)
            events.add_event(connection, user_id, fact_replaced(pair.other, pair.fact))
    for end in plan.ends:
        if end.fact in current:
            tidied.end_fact(connection, user_id, end.fact, end.reason, end.ends_at)
    for pair in plan.doubts:
        if pair.fact in current and pair.other in current and pair.fact.source_conversation_id:
            changes.suggest_fact(connection, user_id, _in_place(pair))


def _in_place(pair: Pair) -> Candidate:
    """The fact as a value for the slot of the other one, which it would replace."""
    fact = pair.fact
    return Candidate(
        category=fact.category,
        key=pair.other.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=fact.importance,
        retracts=False,
        said_at=fact.confirmed_at or fact.valid_from,
        turn=fact.confirmed_at_turn,
        source_conversation_id=fact.source_conversation_id,
        source_sequence=fact.source_sequence,
    )


def undo_tidying(connection: PgConnection, user_id: UserId, fact: Fact) -> Fact:
    """Make a fact that a tidying ended current again, under the key that it had.

    The caller has locked the user. Raises `ConflictError` if another fact has taken its place.
    """
    place = fact.category, fact.former_key or fact.key
    head = fact_versions.list_newest_by_slot(connection, user_id).get(place)
    if head is not None and head.is_active:
        raise ConflictError("There is another fact under this category and key.")
    reopened = tidied.reopen_fact(connection, user_id, fact)
    events.add_event(connection, user_id, fact_learned(reopened))
    return reopened
