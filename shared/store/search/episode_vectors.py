"""Table `episodic_memory`: vectors of episodes, and the episodes that wait for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pgvector import Vector

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import UserId


def list_unembedded(connection: PgConnection, limit: int) -> dict[UserId, list[int]]:
    """The ids of completed episodes that have no vector yet, oldest first, by user."""
    rows = fetch_rows(
        connection,
        """
        SELECT user_id, id FROM episodic_memory WHERE status = 'completed' AND embedding IS NULL
        ORDER BY id LIMIT %(limit)s
        """,
        limit=limit,
    )
    return _by_user(rows)


def list_with_other_model(
    connection: PgConnection, embedding_model: str, *, after_id: int, limit: int
) -> dict[UserId, list[int]]:
    """The ids of episodes whose vector another model made, ordered by id, by user."""
    rows = fetch_rows(
        connection,
        """
        SELECT user_id, id FROM episodic_memory
        WHERE status = 'completed' AND id > %(after_id)s
          AND embedding_model IS DISTINCT FROM %(embedding_model)s
        ORDER BY id LIMIT %(limit)s
        """,
        embedding_model=embedding_model,
        after_id=after_id,
        limit=limit,
    )
    return _by_user(rows)


def count_with_other_model(connection: PgConnection, embedding_model: str) -> int:
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count FROM episodic_memory
        WHERE status = 'completed' AND embedding_model IS DISTINCT FROM %(embedding_model)s
        """,
        embedding_model=embedding_model,
    )
    return int(row["count"]) if row else 0


def read_texts(connection: PgConnection, episode_ids: Sequence[int]) -> list[tuple[int, str]]:
    """(id, text to embed) of those that are still completed."""
    rows = fetch_rows(
        connection,
        """
        SELECT id, summary || ' ' || join_words(key_concepts) AS text
        FROM episodic_memory WHERE status = 'completed' AND id = ANY(%(episode_ids)s)
        """,
        episode_ids=list(episode_ids),
    )
    return [(row["id"], row["text"]) for row in rows]


def set_embedding(
    connection: PgConnection, episode_id: int, vector: Any, embedding_model: str
) -> None:
    execute(
        connection,
        """
        UPDATE episodic_memory
        SET embedding = %(vector)s, embedding_model = %(embedding_model)s
        WHERE id = %(id)s AND status = 'completed'
        """,
        id=episode_id,
        vector=Vector(vector),
        embedding_model=embedding_model,
    )


def _by_user(rows: Sequence[Row]) -> dict[UserId, list[int]]:
    ids: defaultdict[UserId, list[int]] = defaultdict(list)
    for row in rows:
        ids[UserId(row["user_id"])].append(row["id"])
    return ids
