"""Table `structured_facts`, by slot: all versions under one category and key of a memory."""

from __future__ import annotations

from shared.db import PgConnection, execute
from shared.models import Category, Fact, UserId


def move_slot(
    connection: PgConnection, user_id: UserId, fact: Fact, category: Category, key: str
) -> None:
    """Give all versions of the fact's slot another category and key."""
    execute(
        connection,
        """
        UPDATE structured_facts
        SET category = %(new_category)s, key = %(new_key)s, updated_at = now()
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND project IS NOT DISTINCT FROM %(project)s
        """,
        user_id=user_id,
        category=fact.category,
        key=fact.key,
        project=fact.project,
        new_category=category,
        new_key=key,
    )


def delete_slot(connection: PgConnection, user_id: UserId, fact: Fact) -> None:
    """Delete all versions of the fact's slot."""
    execute(
        connection,
        """
        DELETE FROM structured_facts
        WHERE user_id = %(user_id)s AND category = %(category)s AND key = %(key)s
          AND project IS NOT DISTINCT FROM %(project)s
        """,
        user_id=user_id,
        category=fact.category,
        key=fact.key,
        project=fact.project,
    )
