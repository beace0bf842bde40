"""Table `structured_facts`: versions that a tidying ended, and how they come back.

Callers that write have locked the user (`users.lock_user`).
"""

from __future__ import annotations

from datetime import datetime

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import Fact, Tidied, UserId
from shared.store.facts.versions import from_row


def join_fact(connection: PgConnection, user_id: UserId, fact: Fact, other: Fact) -> None:
    """End a fact in favour of another one, whose slot gets all versions of it.

    So they are shown and deleted together. Each remembers the key that it had.
    """
    execute(
        connection,
        """
        UPDATE structured_facts
        SET key = %(key)s, former_key = coalesce(former_key, key), updated_at = now(),
            is_active = false,
            valid_to = CASE WHEN is_active THEN greatest(valid_from, %(since)s) ELSE valid_to END,
            superseded_by = CASE WHEN is_active THEN %(other_id)s ELSE superseded_by END,
            tidied = CASE WHEN is_active THEN 'joined' ELSE tidied END
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(former_key)s
        """,
        user_id=user_id,
        category=fact.category,
        former_key=fact.key,
        key=other.key,
        other_id=other.fact_id,
        since=other.valid_from,
    )


def end_fact(
    connection: PgConnection, user_id: UserId, fact: Fact, reason: Tidied, valid_to: datetime
) -> None:
    execute(
        connection,
        """
        UPDATE structured_facts
        SET is_active = false, valid_to = %(valid_to)s, tidied = %(reason)s, updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        """,
        user_id=user_id,
        fact_id=fact.fact_id,
        reason=reason,
        valid_to=valid_to,
    )


def reopen_fact(connection: PgConnection, user_id: UserId, fact: Fact) -> Fact:
    """Make a version active again that a tidying ended, in the slot that it had.

    `tidied` stays, so that it is not done again.
    """
    separate_slot(connection, user_id, fact)
    row = fetch_row(
        connection,
        """
        UPDATE structured_facts
        SET is_active = true, valid_to = NULL, superseded_by = NULL, updated_at = now()
        WHERE user_id = %(user_id)s AND id = %(fact_id)s
        RETURNING *
        """,
        user_id=user_id,
        fact_id=fact.fact_id,
    )
    assert row is not None  # noqa: S101 - the caller has read and locked it
    return from_row(row)


def separate_slot(connection: PgConnection, user_id: UserId, fact: Fact) -> None:
    """Give the versions that came into the fact's slot with it the key back that they had."""
    execute(
        connection,
        """
        UPDATE structured_facts SET key = former_key, former_key = NULL, updated_at = now()
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND former_key = %(former_key)s AND project IS NOT DISTINCT FROM %(project)s
        """,
        user_id=user_id,
        category=fact.category,
        key=fact.key,
        former_key=fact.former_key,
        project=fact.project,
    )


def separate_joined(connection: PgConnection, user_id: UserId, fact_id: int) -> None:
    """Make the facts current again that a tidying joined with this one, which is to be deleted.

    Only if it is current, and unless other facts have taken their places.
    """
    execute(
        connection,
        """
        WITH joined AS (
            SELECT DISTINCT ON (former_key) id, category, key, former_key, project
            FROM structured_facts AS own
            WHERE user_id = %(user_id)s AND superseded_by = %(fact_id)s AND tidied = 'joined'
              AND EXISTS (SELECT FROM structured_facts AS gone
                          WHERE gone.user_id = own.user_id AND gone.id = own.superseded_by
                            AND gone.is_active)
              AND NOT EXISTS (SELECT FROM structured_facts AS present
                              WHERE present.user_id = own.user_id
                                AND present.category = own.category
                                AND present.key = own.former_key AND present.is_active
                                AND present.project IS NOT DISTINCT FROM own.project)
            ORDER BY former_key, id DESC)
        UPDATE structured_facts AS version
        SET key = version.former_key, former_key = NULL, is_active = version.id = joined.id,
            valid_to = CASE WHEN version.id <> joined.id THEN valid_to END,
            superseded_by = CASE WHEN version.id <> joined.id THEN superseded_by END,
            tidied = CASE WHEN version.id <> joined.id THEN tidied END, updated_at = now()
        FROM joined
        WHERE version.user_id = %(user_id)s AND version.category = joined.category
          AND version.key = joined.key AND version.former_key = joined.former_key
          AND version.project IS NOT DISTINCT FROM joined.project
        """,
        user_id=user_id,
        fact_id=fact_id,
    )


def list_tidied(connection: PgConnection, user_id: UserId, limit: int) -> list[Fact]:
    """The versions that tidyings ended, those that were ended last before the others."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s AND tidied IS NOT NULL AND NOT is_active
        ORDER BY updated_at DESC, id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        limit=limit,
    )
    return [from_row(row) for row in rows]
