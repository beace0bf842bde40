"""Changes that users make to their facts: stating, correcting, undoing, deleting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.access.audit import record
from shared.db import PgConnection, enter_memory, in_memory
from shared.errors import ConflictError, InvalidRequestError
from shared.facts import changes
from shared.facts.tidying import undo_tidying
from shared.models import Candidate, Category, Fact, Forgotten, Thing, UserId, fact_replaced
from shared.models.memory_scope import ALL_MEMORIES, memory_of
from shared.policy.facts.conflict import last_stated_at
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_own_secret
from shared.policy.facts.slots import choose_key, normalize_slot
from shared.policy.facts.values import MAX_VALUE_CHARS, clean_value, fingerprint
from shared.store import events, users
from shared.store.facts import forgotten, suggestions
from shared.store.facts import slots as fact_slots
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions

# Higher than a model's guess, and lower than a plain statement in a later chat, which replaces it.
OWN_CONFIDENCE = 0.9
OWN_IMPORTANCE = 0.7  # if the user gives no importance


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A fact as the user enters it."""

    category: Category
    key: str
    value: str
    importance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The fields to change; None leaves a field as it is."""

    category: Category | None = None
    key: str | None = None
    value: str | None = None
    importance: float | None = None


def state_fact(
    connection: PgConnection,
    user_id: UserId,
    statement: Statement,
    patterns: SecretPattern = None,
) -> tuple[Fact, bool]:
    """State a fact. Returns it, and whether it is a new version. Else it was on record already."""
    [stated] = state_facts(connection, user_id, [statement], patterns)
    return stated


def state_facts(
    connection: PgConnection,
    user_id: UserId,
    statements: Sequence[Statement],
    patterns: SecretPattern = None,
) -> list[tuple[Fact, bool]]:
    """State several facts in their order. A later one replaces an earlier one of its slot.

    `patterns`: the operator's secrets. Raises `InvalidRequestError` for one.
    """
    for statement in statements:
        refuse_secret(statement.key, statement.value, patterns)
    users.ensure_user(connection, user_id)
    turn, now = users.lock_user(connection, user_id)
    heads = fact_versions.list_newest_by_slot(connection, user_id)
    stated = []
    for statement in map(normalize_statement, statements):
        candidate = candidate_of(statement, turn, now)
        candidate = replace(candidate, key=choose_key(candidate, heads))
        fact, is_new = _state(
            connection, user_id, candidate, heads.get((candidate.category, candidate.key))
        )
        if is_new:
            record(connection, "fact.create", user_id, Thing("fact", str(fact.fact_id)))
        else:
            fact = _set_importance(connection, user_id, fact, statement.importance)
        heads[fact.category, fact.key] = fact
        stated.append((fact, is_new))
    return stated


def _state(
    connection: PgConnection, user_id: UserId, candidate: Candidate, head: Fact | None
) -> tuple[Fact, bool]:
    """`head` is the newest version of its slot."""
    suggestions.delete_open(connection, user_id, candidate.category, candidate.key)
    if head is None or not head.is_active:
        return changes.add_fact(connection, user_id, candidate), True
    if head.value != candidate.value:
        return changes.replace_fact(connection, user_id, head, candidate), True
    return fact_changes.confirm_fact(connection, user_id, head, candidate), False


def correct_fact(
    connection: PgConnection,
    user_id: UserId,
    fact_id: int,
    correction: Correction,
    patterns: SecretPattern = None,
) -> Fact:
    """Correct a fact: a new value makes a new version, another slot moves all versions.

    Raises `NotFoundError`, `InvalidRequestError` for a secret of the operator's (`patterns`), or
    `ConflictError` if the version is not current or the new slot is taken.
    """
    refuse_secret(correction.key or "", correction.value or "", patterns)
    fact = _correct(connection, user_id, fact_id, correction)
    record(connection, "fact.change", user_id, Thing("fact", str(fact.fact_id)))
    return fact


def _correct(
    connection: PgConnection, user_id: UserId, fact_id: int, correction: Correction
) -> Fact:
    turn, now = users.lock_user(connection, user_id)
    _enter_memory_of(connection, user_id, fact_id)
    current = _get_current(connection, user_id, fact_id)
    value = current.value if correction.value is None else _check_value(correction.value)
    current = _move_slot(connection, user_id, current, correction, now)
    current = _set_importance(connection, user_id, current, correction.importance)
    if value == current.value:
        return current
    suggestions.delete_open(connection, user_id, current.category, current.key)
    statement = Statement(
        category=current.category, key=current.key, value=value, importance=current.importance
    )
    return changes.replace_fact(connection, user_id, current, candidate_of(statement, turn, now))


def undo_change(connection: PgConnection, user_id: UserId, fact_id: int) -> Fact:
    """Undo what a tidying did to `fact_id`, or else that it replaced another version.

    That one is then current again, as if `fact_id` had never been true. Raises `NotFoundError`, or
    `ConflictError` if there is nothing to undo, or another fact has taken the place.
    """
    turn, now = users.lock_user(connection, user_id)
    _enter_memory_of(connection, user_id, fact_id)
    fact = fact_versions.get_fact(connection, user_id, fact_id)
    if fact.tidied and not fact.is_active:
        record(connection, "fact.change", user_id, Thing("fact", str(fact_id)))
        return undo_tidying(connection, user_id, fact)
    current = _get_current(connection, user_id, fact_id)
    replaced = fact_versions.find_replaced(connection, user_id, fact_id)
    if replaced is None:
        raise ConflictError("This fact has replaced nothing.")
    fact_changes.close_fact(connection, user_id, current, current.valid_from)
    reopened = fact_changes.reopen_fact(connection, user_id, replaced, at=now, turn=turn)
    events.add_event(connection, user_id, fact_replaced(reopened, current))
    record(connection, "fact.change", user_id, Thing("fact", str(reopened.fact_id)))
    return reopened


def _enter_memory_of(connection: PgConnection, user_id: UserId, fact_id: int) -> None:
    """Raises `NotFoundError`."""
    with in_memory(connection, ALL_MEMORIES):
        fact = fact_versions.get_fact(connection, user_id, fact_id)
    enter_memory(connection, memory_of(fact.project))


def forget_fact(connection: PgConnection, user_id: UserId, fact_id: int) -> None:
    """Delete a fact with all its versions, and mark them so that they are not learned again.

    A mark holds in every memory. The caller sees all of them. Raises `NotFoundError`.
    """
    _, now = users.lock_user(connection, user_id)
    fact = fact_versions.get_fact(connection, user_id, fact_id)
    _mark_forgotten(connection, user_id, fact, now)
    fact_slots.delete_slot(connection, user_id, fact)


def _mark_forgotten(connection: PgConnection, user_id: UserId, fact: Fact, now: datetime) -> None:
    versions = fact_versions.list_versions(connection, user_id, fact)
    said_until = max(last_stated_at(version) for version in versions)
    for version in versions:
        mark = Forgotten(
            category=fact.category,
            key=fact.key,
            fingerprint=fingerprint(user_id, version.value),
            said_until=said_until,
            forgotten_at=now,
        )
        forgotten.add_forgotten(connection, user_id, mark)


def _set_importance(
    connection: PgConnection, user_id: UserId, current: Fact, importance: float | None
) -> Fact:
    if importance is None:
        return current
    return fact_changes.set_importance(connection, user_id, current.fact_id, importance)


def _move_slot(
    connection: PgConnection, user_id: UserId, current: Fact, correction: Correction, now: datetime
) -> Fact:
    """Move the fact to the corrected slot. A mark keeps the old slot from being filled again."""
    key = current.key if correction.key is None else correction.key
    category, key = normalize_slot(correction.category or current.category, key, "")
    if (category, key) == (current.category, current.key):
        return current
    if not key:
        raise InvalidRequestError("key: holds no letter or digit.")
    if (category, key) in fact_versions.list_newest_by_slot(connection, user_id):
        raise ConflictError("There is another fact under this category and key.")
    _mark_forgotten(connection, user_id, current, now)
    fact_slots.move_slot(connection, user_id, current, category, key)
    return fact_versions.get_fact(connection, user_id, current.fact_id)


def _get_current(connection: PgConnection, user_id: UserId, fact_id: int) -> Fact:
    fact = fact_versions.get_fact(connection, user_id, fact_id)
    if not fact.is_active:
        raise ConflictError("This version is not current.")
    return fact


def normalize_statement(statement: Statement) -> Statement:
    """Put the statement into its slot. Raises `InvalidRequestError`."""
    value = _check_value(statement.value)
    category, key = normalize_slot(statement.category, statement.key, value)
    if not key:
        raise InvalidRequestError("key: holds no letter or digit.")
    return replace(statement, category=category, key=key, value=value)


def candidate_of(statement: Statement, turn: int, now: datetime) -> Candidate:
    """Make a candidate of a statement. `turn` is the number of the user's last message."""
    importance = statement.importance
    return Candidate(
        category=statement.category,
        key=statement.key,
        value=statement.value,
        confidence=OWN_CONFIDENCE,
        importance=OWN_IMPORTANCE if importance is None else importance,
        retracts=False,
        said_at=now,
        turn=turn,
        source_conversation_id=None,
        source_sequence=None,
    )


def refuse_secret(key: str, value: str, patterns: SecretPattern) -> None:
    """Raises `InvalidRequestError` for what the operator calls a secret."""
    if is_own_secret(key, value, patterns):
        raise InvalidRequestError("value: is a secret, which this site never keeps as a fact.")


def _check_value(text: str) -> str:
    value = clean_value(text)
    if not value:
        raise InvalidRequestError("value: is empty.")
    if len(value) > MAX_VALUE_CHARS:
        raise InvalidRequestError(f"value: is longer than {MAX_VALUE_CHARS} characters.")
    return value
