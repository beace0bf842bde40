"""Adds versions of facts and suggestions, each with its event in the same transaction.

Callers have locked the user.
"""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import Candidate, Fact, UserId, fact_learned, fact_replaced, fact_suggested
from shared.store import events
from shared.store.facts import suggestions
from shared.store.facts import version_changes as fact_changes


def add_fact(connection: PgConnection, user_id: UserId, candidate: Candidate) -> Fact:
    """Add the first version in a slot, or the first after an ended one."""
    fact = fact_changes.add_fact(connection, user_id, candidate)
    events.add_event(connection, user_id, fact_learned(fact))
    return fact


def replace_fact(
    connection: PgConnection, user_id: UserId, active: Fact, candidate: Candidate
) -> Fact:
    """Add a version in place of the active one."""
    fact = fact_changes.replace_fact(connection, user_id, active, candidate)
    events.add_event(connection, user_id, fact_replaced(fact, active))
    return fact


def suggest_fact(connection: PgConnection, user_id: UserId, candidate: Candidate) -> None:
    """Open a suggestion, unless this value was suggested before."""
    suggestion_id = suggestions.suggest(connection, user_id, candidate)
    if suggestion_id is not None:
        suggestion = suggestions.get_suggestion(connection, user_id, suggestion_id)
        events.add_event(connection, user_id, fact_suggested(suggestion))
