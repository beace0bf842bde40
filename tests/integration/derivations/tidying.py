"""Facts on record that are to be tidied, and the job that does it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.broker.sending import send_due
from shared.derivations.kinds import do_job
from shared.derivations.rerun import tidy_now
from shared.facts.corrections import undo_change
from shared.models import Candidate, Category, Due, Fact
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions
from tests.integration.conversing import Conversing
from tests.services import as_owner

NOW = datetime.now(UTC)


def learn(
    talk: Conversing,
    key: str,
    value: str,
    sequence: int,
    *,
    category: Category = "identity",
    confidence: float = 1.0,
) -> Fact:
    """As a job of facts would, from a message that was said a day before the next one."""
    candidate = Candidate(
        category=category,
        key=key,
        value=value,
        confidence=confidence,
        importance=0.7,
        retracts=False,
        said_at=NOW - timedelta(days=30 - sequence),
        turn=sequence,
        source_conversation_id=talk.conversation_id,
        source_sequence=sequence,
    )
    with as_owner(talk.services) as connection:
        return fact_changes.add_fact(connection, talk.user_id, candidate)


def claim(talk: Conversing) -> Due:
    """As the user asks for it."""
    with talk.services.database.transaction(user=talk.user_id) as connection:
        due = tidy_now(connection, talk.user_id, talk.services.settings)
    send_due(talk.services.broker, [due])
    return due


def tidy_up(talk: Conversing) -> None:
    do_job(talk.services, "tidying", claim(talk).job_id)


def undo(talk: Conversing, fact: Fact) -> Fact:
    with talk.services.database.transaction(user=talk.user_id) as connection:
        return undo_change(connection, talk.user_id, fact.fact_id)


def versions_of(talk: Conversing, fact: Fact) -> list[tuple[str, str, str | None]]:
    """The history of its slot, newest first: the key it had, its value, how it was tidied."""
    with as_owner(talk.services) as connection:
        now = fact_versions.get_fact(connection, talk.user_id, fact.fact_id)
        history = fact_versions.list_versions(connection, talk.user_id, now)
    return [
        (version.former_key or version.key, version.value, version.tidied) for version in history
    ]
