"""Learning: candidates become versions of facts."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection
from shared.facts import changes
from shared.models import Candidate, Fact, UserId
from shared.policy.facts.conflict import Judgement, Record, judge
from shared.store.facts import forgotten, suggestions
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions


def learn(
    connection: PgConnection,
    user_id: UserId,
    candidates: Sequence[Candidate],
    half_life_turns: int,
) -> None:
    """Apply the conflict rule to each candidate in order. The caller has locked the user."""
    if not candidates:
        return
    heads = fact_versions.list_newest_by_slot(connection, user_id)
    record = Record(
        user_id=user_id, heads=heads, forgotten=forgotten.list_forgotten(connection, user_id)
    )
    for candidate in candidates:
        judged = judge(candidate, record, half_life_turns)
        changed = _write(connection, user_id, judged)
        for opposite in judged.opposites:
            del heads[opposite.category, opposite.key]
        if changed is not None:
            heads[changed.category, changed.key] = changed
            suggestions.delete_open(connection, user_id, changed.category, changed.key)
        elif candidate.retracts and not candidate.value:
            suggestions.delete_ended(
                connection, user_id, candidate.category, candidate.key, candidate.said_at
            )


def _write(connection: PgConnection, user_id: UserId, judged: Judgement) -> Fact | None:
    """Write the change. Returns the newest version in the slot; None: nothing has changed."""
    candidate, head = judged.candidate, judged.head
    for opposite in judged.opposites:
        fact_changes.close_fact(connection, user_id, opposite, candidate.said_at)
    if judged.verdict == "insert":
        return changes.add_fact(connection, user_id, candidate)
    if judged.verdict == "ignore" or head is None:
        return None
    if judged.verdict == "confirm":
        return fact_changes.confirm_fact(connection, user_id, head, candidate)
    if judged.verdict == "close":
        return fact_changes.close_fact(connection, user_id, head, candidate.said_at)
    return changes.replace_fact(connection, user_id, head, candidate)
