"""Suggestions: uncertain facts, which the user confirms or dismisses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.access.audit import record
from shared.db import PgConnection, enter_memory, in_memory
from shared.errors import NotFoundError
from shared.facts import changes
from shared.facts.corrections import OWN_CONFIDENCE, OWN_IMPORTANCE, refuse_secret
from shared.models import Candidate, Fact, Suggestion, Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES, memory_of
from shared.policy.facts.conflict import Record, is_forgotten, last_stated_at
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.slots import choose_key
from shared.policy.facts.values import is_same_value
from shared.store import users
from shared.store.facts import forgotten, suggestions
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions


def suggest_facts(
    connection: PgConnection, user_id: UserId, candidates: Sequence[Candidate]
) -> None:
    """Suggest the candidates that are not on record and newer than the fact in their slot.

    The caller has locked the user.
    """
    if not candidates:
        return
    record = Record(
        user_id=user_id,
        heads=fact_versions.list_newest_by_slot(connection, user_id),
        forgotten=forgotten.list_forgotten(connection, user_id),
    )
    for candidate in candidates:
        in_slot = replace(candidate, key=choose_key(candidate, record.heads))
        if not candidate.retracts and _is_new(in_slot, record):
            changes.suggest_fact(connection, user_id, in_slot)


def confirm_suggestion(
    connection: PgConnection,
    user_id: UserId,
    suggestion_id: int,
    patterns: SecretPattern = None,
) -> Fact:
    """Make the suggestion a fact, as if the user had entered it.

    Raises `NotFoundError`, and `InvalidRequestError` for what the operator calls a secret since.
    """
    turn, now = users.lock_user(connection, user_id)
    with in_memory(connection, ALL_MEMORIES):
        suggestion = suggestions.get_suggestion(connection, user_id, suggestion_id)
    refuse_secret(suggestion.key, suggestion.value, patterns)
    enter_memory(connection, memory_of(suggestion.project))
    record(connection, "suggestion.confirm", user_id, _thing(suggestion_id))
    candidate = _candidate(suggestion, turn, now)
    suggestions.delete_open(connection, user_id, candidate.category, candidate.key)
    head = fact_versions.list_newest_by_slot(connection, user_id).get(
        (candidate.category, candidate.key)
    )
    if head is None or not head.is_active:
        return changes.add_fact(connection, user_id, candidate)
    if is_same_value(head.value, candidate.value):
        return fact_changes.confirm_fact(connection, user_id, head, candidate)
    return changes.replace_fact(connection, user_id, head, candidate)


def confirm_suggestions(
    connection: PgConnection, user_id: UserId, suggestion_ids: Sequence[int]
) -> list[Fact]:
    """Make facts of several suggestions. Those that wait no more are passed over."""
    facts = []
    for suggestion_id in suggestion_ids:
        try:
            facts.append(confirm_suggestion(connection, user_id, suggestion_id))
        except NotFoundError:
            continue
    return facts


def dismiss_suggestion(connection: PgConnection, user_id: UserId, suggestion_id: int) -> None:
    """Do not suggest the fact again. If the user states it plainly later, it is still learned.

    Raises `NotFoundError`.
    """
    users.lock_user(connection, user_id)
    with in_memory(connection, ALL_MEMORIES):
        suggestions.dismiss(connection, user_id, suggestion_id)
    record(connection, "suggestion.dismiss", user_id, _thing(suggestion_id))


def _thing(suggestion_id: int) -> Thing:
    return Thing("suggestion", str(suggestion_id))


def _is_new(candidate: Candidate, record: Record) -> bool:
    head = record.heads.get((candidate.category, candidate.key))
    if is_forgotten(candidate, record):
        return False
    if head is None:
        return True
    if head.is_active and is_same_value(head.value, candidate.value):
        return False
    return candidate.said_at > last_stated_at(head)


def _candidate(suggestion: Suggestion, turn: int, now: datetime) -> Candidate:
    return Candidate(
        category=suggestion.category,
        key=suggestion.key,
        value=suggestion.value,
        confidence=OWN_CONFIDENCE,
        importance=max(suggestion.importance, OWN_IMPORTANCE),
        retracts=False,
        said_at=now,
        turn=turn,
        source_conversation_id=suggestion.source_conversation_id,
        source_sequence=suggestion.source_sequence,
        valid_until=suggestion.valid_until,
    )
