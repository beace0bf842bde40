"""Checks the invariants of a live database. It only reads, in one snapshot."""

from __future__ import annotations

from shared.db import Database, execute
from shared.derivations.kinds.episode import episode_rule
from shared.policy.episodes import pending_to_be_due
from shared.settings import Settings
from shared.store.upkeep.invariants import ALWAYS, WHEN_QUIET, Breach, list_breaches
from shared.store.upkeep.row_security import is_bound

NOT_BOUND = (
    "Row-level security keeps no users apart: the role of DATABASE_URL sees all rows. "
    "See docs/operations.md, Roles."
)


def find_breaches(database: Database, settings: Settings, *, quiet: bool) -> list[Breach]:
    """Find the rows that break an invariant.

    `quiet` checks those invariants, too, that hold if no round is open and all jobs are done.
    """
    with database.upkeep() as connection:
        execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return list_breaches(
            connection,
            ALWAYS | WHEN_QUIET if quiet else ALWAYS,
            stuck_after_s=settings.stuck_after_s,
            summarize_after=settings.memory_summarize_after_seq,
            pending=pending_to_be_due(episode_rule(settings)),
        )


def count_invariants(*, quiet: bool) -> int:
    """How many invariants `find_breaches` checks."""
    return len(ALWAYS) + (len(WHEN_QUIET) if quiet else 0)


def is_bound_to_users(database: Database) -> bool:
    """Whether the application sees one user's rows at a time. A site with one role may not."""
    with database.transaction() as connection:
        return is_bound(connection)
