"""Tables `structured_facts` and `fact_suggestions`: what moves from one memory into another.

A slot moves as a whole, and only to where no version of it is: so no fact of one memory replaces
or hides one of another. Callers have locked the user and see all memories.
"""

from __future__ import annotations

from typing import NamedTuple

from shared.db import PgConnection, execute, fetch_tuples
from shared.models import ConversationId, UserId

# The slots of `source` that came from one chat alone, and that `target` does not have.
MOVE_SLOTS = """
    UPDATE structured_facts AS version SET project = %(target)s, updated_at = now()
    WHERE version.user_id = %(user_id)s AND version.project IS NOT DISTINCT FROM %(source)s
      AND EXISTS (
          SELECT FROM structured_facts AS learned
          WHERE learned.user_id = version.user_id AND learned.category = version.category
            AND learned.key = version.key AND learned.project IS NOT DISTINCT FROM %(source)s
            AND learned.source_conversation_id = ANY(%(conversation_ids)s::uuid[]))
      AND NOT EXISTS (
          SELECT FROM structured_facts AS other
          WHERE other.user_id = version.user_id AND other.category = version.category
            AND other.key = version.key
            AND (other.project IS NOT DISTINCT FROM %(target)s
                 OR other.project IS NOT DISTINCT FROM %(source)s
                    AND (other.source_conversation_id = ANY(%(conversation_ids)s::uuid[]))
                        IS NOT TRUE))
"""
COUNT_SLOTS = """
    SELECT count(*) FILTER (WHERE moves), count(*) FILTER (WHERE NOT moves)
    FROM structured_facts AS version, LATERAL (
        SELECT NOT EXISTS (
            SELECT FROM structured_facts AS other
            WHERE other.user_id = version.user_id AND other.category = version.category
              AND other.key = version.key
              AND (other.project IS NOT DISTINCT FROM %(target)s
                   OR other.project IS NOT DISTINCT FROM %(source)s
                      AND (other.source_conversation_id = ANY(%(conversation_ids)s::uuid[]))
                          IS NOT TRUE)
        ) AS moves) AS slot
    WHERE version.user_id = %(user_id)s AND version.project IS NOT DISTINCT FROM %(source)s
      AND version.is_active AND version.source_conversation_id = ANY(%(conversation_ids)s::uuid[])
"""


class Move(NamedTuple):
    """A chat that leaves one memory for another. None: the shared memory."""

    conversation_ids: list[ConversationId]
    source: str | None
    target: str | None


class MovedFacts(NamedTuple):
    """Current facts that were learned from the conversation."""

    moved: int
    #: They stay where they are.
    left: int


def count_moved(connection: PgConnection, user_id: UserId, move: Move) -> MovedFacts:
    """What `move_facts` would do."""
    [row] = fetch_tuples(connection, COUNT_SLOTS, user_id=user_id, **move._asdict())
    return MovedFacts(*row)


def move_facts(connection: PgConnection, user_id: UserId, move: Move) -> None:
    """Facts known from this conversation alone go along with it, and so do its suggestions.

    Suggestions for which there is one in the other memory are deleted.
    """
    execute(connection, MOVE_SLOTS, user_id=user_id, **move._asdict())
    _part(connection, user_id)
    execute(
        connection,
        """
        DELETE FROM fact_suggestions AS old
        WHERE user_id = %(user_id)s AND source_conversation_id = ANY(%(conversation_ids)s::uuid[])
          AND project IS NOT DISTINCT FROM %(source)s
          AND EXISTS (SELECT FROM fact_suggestions AS there
                      WHERE there.user_id = old.user_id AND there.category = old.category
                        AND there.key = old.key
                        AND there.project IS NOT DISTINCT FROM %(target)s)
        """,
        user_id=user_id,
        **move._asdict(),
    )
    execute(
        connection,
        """
        UPDATE fact_suggestions SET project = %(target)s
        WHERE user_id = %(user_id)s AND source_conversation_id = ANY(%(conversation_ids)s::uuid[])
          AND project IS NOT DISTINCT FROM %(source)s
        """,
        user_id=user_id,
        **move._asdict(),
    )


def share_facts(connection: PgConnection, user_id: UserId, project: str) -> None:
    """All slots of the project's memory go where the shared memory has none of them."""
    execute(
        connection,
        """
        UPDATE structured_facts AS version SET project = NULL, updated_at = now()
        WHERE user_id = %(user_id)s AND project = %(project)s
          AND NOT EXISTS (SELECT FROM structured_facts AS there
                          WHERE there.user_id = version.user_id
                            AND there.category = version.category AND there.key = version.key
                            AND there.project IS NULL)
        """,
        user_id=user_id,
        project=project,
    )
    _part(connection, user_id)


def has_learned(connection: PgConnection, user_id: UserId, project: str) -> bool:
    """Whether anything is in the memory of the project."""
    [(is_there,)] = fetch_tuples(
        connection,
        """
        SELECT EXISTS (SELECT FROM structured_facts
                       WHERE user_id = %(user_id)s AND project = %(project)s)
            OR EXISTS (SELECT FROM fact_suggestions
                       WHERE user_id = %(user_id)s AND project = %(project)s)
        """,
        user_id=user_id,
        project=project,
    )
    return bool(is_there)


def _part(connection: PgConnection, user_id: UserId) -> None:
    """No version names a successor in another memory."""
    execute(
        connection,
        """
        UPDATE structured_facts AS version SET superseded_by = NULL
        FROM structured_facts AS successor
        WHERE version.user_id = %(user_id)s AND successor.user_id = %(user_id)s
          AND successor.id = version.superseded_by
          AND successor.project IS DISTINCT FROM version.project
        """,
        user_id=user_id,
    )
