"""Table `episodic_memory`: closed spans, summed up, searched across a user's conversations.

Searches name their columns: to read the vectors of what is found takes longer than to find it.
So what they find does not say who told it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pgvector import Vector

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import (
    Claim,
    ConversationId,
    Due,
    Episode,
    FoundEpisode,
    MessageKey,
    Query,
    Span,
    UserId,
)
from shared.store.lease import claims, lagging
from shared.store.lease.kinds import EPISODE
from shared.store.lease.lagging import Look


def claim_episode(
    connection: PgConnection, conversation_id: ConversationId, span: Span, grace_s: float
) -> Due | None:
    """Insert the `processing` row. None: one is there already."""
    row = fetch_row(
        connection,
        """
        INSERT INTO episodic_memory
            (user_id, conversation_id, turn_start, turn_end, status, lease_until)
        SELECT user_id, conversation_id, %(start)s, %(end)s,
               'processing', now() + make_interval(secs => %(grace_s)s)
        FROM conversations WHERE conversation_id = %(conversation_id)s
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO NOTHING
        RETURNING id
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        grace_s=grace_s,
    )
    return Due(kind="episode", job_id=row["id"]) if row else None


def find_pending(
    connection: PgConnection, conversation_id: ConversationId
) -> tuple[int, int | None]:
    """The first message that no episode covers, and where the next episode begins after it.

    That is None at the end. A hole is left where a message was deleted; an episode that the user
    deleted keeps its span.
    """
    row = fetch_row(
        connection,
        """
        SELECT coalesce(covered.until, -1) + 1 AS first, covered.next
        FROM (
            SELECT turn_end AS until, lead(turn_start) OVER (ORDER BY turn_start) AS next
            FROM (
                SELECT turn_start, turn_end FROM episodic_memory
                WHERE conversation_id = %(conversation_id)s
                  AND status IN ('completed', 'deleted')
                UNION ALL SELECT -1, -1) AS closed
        ) AS covered
        WHERE covered.next IS DISTINCT FROM covered.until + 1
        ORDER BY covered.until LIMIT 1
        """,
        conversation_id=conversation_id,
    )
    assert row is not None  # noqa: S101 - the last one has no next
    return row["first"], row["next"]


def close_empty(connection: PgConnection, claim: Claim) -> bool:
    """Nothing of the span is left to be summed up. False: the lease was lost."""
    completed = claims.complete(connection, EPISODE, claim, summary="")
    if completed:
        execute(
            connection,
            """
            UPDATE episodic_memory SET status = 'deleted', summary = NULL
            WHERE id = %(id)s AND status = 'completed'
            """,
            id=claim.job_id,
        )
    return completed


def complete_episode(
    connection: PgConnection,
    claim: Claim,
    *,
    summary: str,
    key_concepts: Sequence[str],
    started_at: datetime,
    ended_at: datetime,
    model: str,
    prompt_version: str | None,
) -> bool:
    """From here on it can be found, by its words first. False: the lease was lost."""
    return claims.complete(
        connection,
        EPISODE,
        claim,
        summary=summary,
        key_concepts=list(key_concepts),
        started_at=started_at,
        ended_at=ended_at,
        model=model,
        prompt_version=prompt_version,
    )


def search_by_meaning(connection: PgConnection, query: Query, limit: int) -> list[FoundEpisode]:
    """The nearest summaries. `score` is the cosine similarity (1: the same direction).

    With `query.as_of` only episodes that had ended by then. None for a query without vectors.
    """
    if query.encoded is None:
        return []
    rows = fetch_rows(
        connection,
        """
        SELECT id, conversation_id, turn_start, turn_end, summary, key_concepts, started_at,
               ended_at, embedding_model, created_at, 1 - (embedding <=> %(vector)s) AS score
        FROM episodic_memory
        WHERE user_id = %(user_id)s AND status = 'completed'
          AND embedding_model = %(embedding_model)s
          AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
        ORDER BY embedding <=> %(vector)s
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        vector=Vector(query.encoded.vector),
        embedding_model=query.model,
        limit=limit,
        as_of=query.as_of,
    )
    return [_found(row) for row in rows]


def search_by_words(connection: PgConnection, query: Query, limit: int) -> list[FoundEpisode]:
    """Episodes that share any word with the query. `score` is Postgres's `ts_rank`.

    With `query.as_of` only episodes that had ended by then.
    """
    rows = fetch_rows(
        connection,
        """
        WITH query AS (
            SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS words
            FROM unnest(said_words(%(query)s)))
        SELECT id, conversation_id, turn_start, turn_end, summary, key_concepts, started_at,
               ended_at, embedding_model, created_at,
               ts_rank(episodic_memory.words, query.words) AS score
        FROM episodic_memory, query
        WHERE user_id = %(user_id)s AND status = 'completed'
          AND episodic_memory.words @@ query.words
          AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
        ORDER BY score DESC, id DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        query=query.text,
        limit=limit,
        as_of=query.as_of,
    )
    return [_found(row) for row in rows]


def list_around(
    connection: PgConnection, query: Query, scores: Mapping[MessageKey, float]
) -> list[FoundEpisode]:
    """The episodes that contain these messages, each with the score of its best message.

    Episodes of a conversation never overlap, so each message is one look into the index. With
    `query.as_of` only episodes that had ended by then.
    """
    rows = fetch_rows(
        connection,
        """
        WITH around AS (
            SELECT episode.id, max(given.score) AS score
            FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[], %(scores)s::float8[])
                 AS given (conversation_id, sequence, score),
                 LATERAL (
                    SELECT id, turn_end FROM episodic_memory e
                    WHERE e.conversation_id = given.conversation_id AND status = 'completed'
                      AND turn_start <= given.sequence
                    ORDER BY turn_start DESC LIMIT 1) AS episode
            WHERE episode.turn_end >= given.sequence
            GROUP BY episode.id)
        SELECT id, conversation_id, turn_start, turn_end, summary, key_concepts, started_at,
               ended_at, embedding_model, created_at, score
        FROM around JOIN episodic_memory USING (id)
        WHERE user_id = %(user_id)s
          AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
        """,
        user_id=query.user_id,
        conversations=[key.conversation_id for key in scores],
        sequences=[key.sequence_number for key in scores],
        scores=list(scores.values()),
        as_of=query.as_of,
    )
    return [_found(row) for row in rows]


def list_episodes(
    connection: PgConnection,
    user_id: UserId,
    *,
    conversation_id: ConversationId | None,
    limit: int,
    before_id: int | None,
) -> list[Episode]:
    """Newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM episodic_memory
        WHERE user_id = %(user_id)s AND status = 'completed'
          AND (%(conversation_id)s::uuid IS NULL OR conversation_id = %(conversation_id)s::uuid)
          AND (%(before_id)s::bigint IS NULL OR id < %(before_id)s)
        ORDER BY id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        before_id=before_id,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def list_by_ids(
    connection: PgConnection, user_id: UserId, episode_ids: Sequence[int]
) -> list[Episode]:
    """Those of these episodes that are still there."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM episodic_memory
        WHERE user_id = %(user_id)s AND id = ANY(%(episode_ids)s) AND status = 'completed'
        """,
        user_id=user_id,
        episode_ids=list(episode_ids),
    )
    return [from_row(row) for row in rows]


def count_vectors(connection: PgConnection, user_id: UserId, episode_id: int) -> int:
    """0 or 1. Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        """
        SELECT num_nonnulls(embedding) AS vectors FROM episodic_memory
        WHERE id = %(id)s AND user_id = %(user_id)s AND status = 'completed'
        """,
        id=episode_id,
        user_id=user_id,
    )
    if row is None:
        raise NotFoundError("There is no such episode.")
    return int(row["vectors"])


def delete_episode(connection: PgConnection, user_id: UserId, episode_id: int) -> None:
    """Empty the row and keep its span, so that no later job sums the same messages up again.

    Raises `NotFoundError`, also when it is somebody else's.
    """
    touched = execute(
        connection,
        """
        UPDATE episodic_memory
        SET status = 'deleted', summary = NULL, key_concepts = '{}', embedding = NULL,
            embedding_model = NULL
        WHERE id = %(id)s AND user_id = %(user_id)s AND status = 'completed'
        """,
        id=episode_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such episode.")


def list_lagging(
    connection: PgConnection, look: Look, *, pending: int
) -> list[tuple[ConversationId, int]]:
    """Conversations of which an episode is due: (conversation_id, last_sequence)."""
    return lagging.list_lagging(
        connection,
        EPISODE,
        look,
        due="c.last_sequence + 1 >= %(pending)s",
        covered="""
            job.status IN ('completed', 'deleted') AND c.last_sequence - job.turn_end < %(pending)s
            """,
        pending=pending,
    )


def from_row(row: Row) -> Episode:
    created_at: datetime = row["created_at"]
    return Episode(
        episode_id=row["id"],
        conversation_id=ConversationId(str(row["conversation_id"])),
        span=Span(start=row["turn_start"], end=row["turn_end"]),
        summary=row["summary"],
        key_concepts=tuple(row["key_concepts"]),
        started_at=row["started_at"] or created_at,
        ended_at=row["ended_at"] or created_at,
        embedding_model=row["embedding_model"],
        created_at=created_at,
        is_fallback=claims.is_fallback(row),
    )


def _found(row: Row) -> FoundEpisode:
    return FoundEpisode(episode=from_row(row), score=float(row["score"]))
