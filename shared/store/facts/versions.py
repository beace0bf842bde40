"""Table `structured_facts`: facts about a user, version by version. Its changes are beside it.

A slot is a category and a key in one memory; a partial unique index allows one active version of
each. The transaction says which memory it is: a row policy hides the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection, Row, fetch_row, fetch_rows, prepared
from shared.errors import NotFoundError
from shared.models import Category, ConversationId, Fact, Query, SearchFilter, UserId
from shared.policy.text import folded_patterns


def list_recallable(
    connection: PgConnection, user_id: UserId, min_importance: float, limit: int
) -> list[Fact]:
    """Active facts for a prompt: every constraint, then at most `limit` others by importance.

    `min_importance` does not apply to constraints.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        SELECT id, category, key, value, confidence, importance, is_active, source_conversation_id,
               source_sequence, confirmed_at_turn, valid_from, valid_to, superseded_by,
               confirmed_at, tidied, former_key, valid_until, project,
               ARRAY(
                   WITH RECURSIVE former AS (
                       SELECT id, value FROM structured_facts
                       WHERE user_id = %(user_id)s AND superseded_by = recallable.id
                       UNION
                       SELECT earlier.id, earlier.value
                       FROM structured_facts AS earlier JOIN former
                           ON earlier.superseded_by = former.id
                       WHERE earlier.user_id = %(user_id)s)
                   SELECT value FROM former ORDER BY id) AS former_values
        FROM (
            (SELECT * FROM structured_facts
             WHERE user_id = %(user_id)s AND is_active AND category = 'constraint')
            UNION ALL
            (SELECT * FROM structured_facts
             WHERE user_id = %(user_id)s AND is_active AND category <> 'constraint'
               AND importance >= %(min_importance)s::real
             ORDER BY importance DESC
             LIMIT %(limit)s)
        ) AS recallable
        ORDER BY category <> 'constraint', importance DESC, id
        """),
        user_id=user_id,
        min_importance=min_importance,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def list_facts(
    connection: PgConnection,
    user_id: UserId,
    *,
    category: Category | None,
    with_history: bool,
    as_of: datetime | None,
) -> list[Fact]:
    """The active versions, or all of them (`with_history`), or those valid at `as_of`."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s
          AND (%(category)s::text IS NULL OR category = %(category)s)
          AND CASE WHEN %(as_of)s::timestamptz IS NULL THEN is_active OR %(with_history)s
              ELSE valid_from <= %(as_of)s AND (valid_to IS NULL OR valid_to > %(as_of)s) END
        ORDER BY category, key, valid_from DESC, id DESC
        """,
        user_id=user_id,
        category=category,
        with_history=with_history,
        as_of=as_of,
    )
    return [from_row(row) for row in rows]


def search_facts(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[Fact]:
    """Active facts whose key and value together contain every part of the query, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s AND is_active
          AND fold(replace(key, '_', ' ') || ' ' || value) LIKE ALL (%(patterns)s::text[])
          AND (%(since)s::timestamptz IS NULL OR valid_from >= %(since)s)
          AND (%(until)s::timestamptz IS NULL OR valid_from <= %(until)s)
        ORDER BY valid_from DESC, id DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        patterns=folded_patterns(query.text),
        since=only.since,
        until=query.as_of,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def list_newest_by_slot(connection: PgConnection, user_id: UserId) -> dict[tuple[str, str], Fact]:
    """The active version of each slot by (category, key), or its newest if none is active."""
    rows = fetch_rows(
        connection,
        """
        SELECT DISTINCT ON (category, key) * FROM structured_facts
        WHERE user_id = %(user_id)s
        ORDER BY category, key, is_active DESC, valid_to DESC, id DESC
        """,
        user_id=user_id,
    )
    return {(row["category"], row["key"]): from_row(row) for row in rows}


def list_versions(connection: PgConnection, user_id: UserId, fact: Fact) -> list[Fact]:
    """All versions of this fact's slot, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND project IS NOT DISTINCT FROM %(project)s
        ORDER BY valid_from DESC, id DESC
        """,
        user_id=user_id,
        category=fact.category,
        key=fact.key,
        project=fact.project,
    )
    return [from_row(row) for row in rows]


def get_fact(connection: PgConnection, user_id: UserId, fact_id: int) -> Fact:
    """A version of the user's fact. Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        "SELECT * FROM structured_facts WHERE user_id = %(user_id)s AND id = %(fact_id)s",
        user_id=user_id,
        fact_id=fact_id,
    )
    if row is None:
        raise NotFoundError("There is no such fact.")
    return from_row(row)


def list_by_ids(connection: PgConnection, user_id: UserId, fact_ids: Sequence[int]) -> list[Fact]:
    """The given versions without deleted ones."""
    rows = fetch_rows(
        connection,
        "SELECT * FROM structured_facts WHERE user_id = %(user_id)s AND id = ANY(%(fact_ids)s)",
        user_id=user_id,
        fact_ids=list(fact_ids),
    )
    return [from_row(row) for row in rows]


def find_replaced(connection: PgConnection, user_id: UserId, fact_id: int) -> Fact | None:
    """The newest version that this one replaced; not one that a tidying joined with it."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM structured_facts
        WHERE user_id = %(user_id)s AND superseded_by = %(fact_id)s AND tidied IS NULL
        ORDER BY valid_from DESC, id DESC LIMIT 1
        """,
        user_id=user_id,
        fact_id=fact_id,
    )
    return from_row(row) if row else None


def from_row(row: Row) -> Fact:
    source = row["source_conversation_id"]
    return Fact(
        fact_id=row["id"],
        category=row["category"],
        key=row["key"],
        value=row["value"],
        confidence=row["confidence"],
        importance=row["importance"],
        is_active=row["is_active"],
        source_conversation_id=ConversationId(str(source)) if source else None,
        source_sequence=row["source_sequence"],
        confirmed_at_turn=row["confirmed_at_turn"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        superseded_by=row["superseded_by"],
        confirmed_at=row["confirmed_at"],
        tidied=row["tidied"],
        former_key=row["former_key"],
        valid_until=row["valid_until"],
        project=row["project"],
        former_values=tuple(row.get("former_values", ())),
    )
