"""Table `episodic_memory`: search across a user's conversations.

Every query lists its columns, since reading the vectors would take longer than the search. The
column `model` is not read, so `is_fallback` of an episode that was found is always false.
"""

from __future__ import annotations

from collections.abc import Mapping

from pgvector import Vector

from shared.db import PgConnection, Row, fetch_rows
from shared.models import FoundEpisode, MessageKey, Query
from shared.store.rows import read_episode


def search_by_meaning(connection: PgConnection, query: Query, limit: int) -> list[FoundEpisode]:
    """The episodes nearest to the query. `score` is the cosine similarity, -1 to 1.

    With `query.as_of` only episodes that had ended by then. Empty for a query without vectors.
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
    return [_read(row) for row in rows]


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
    return [_read(row) for row in rows]


def list_containing(
    connection: PgConnection, query: Query, scores: Mapping[MessageKey, float]
) -> list[FoundEpisode]:
    """The episodes that contain these messages, each with the score of its best message.

    Episodes of a conversation never overlap, so each message is one look-up in the index. With
    `query.as_of` only episodes that had ended by then.
    """
    rows = fetch_rows(
        connection,
        """
        WITH containing AS (
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
        FROM containing JOIN episodic_memory USING (id)
        WHERE user_id = %(user_id)s
          AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
        """,
        user_id=query.user_id,
        conversations=[key.conversation_id for key in scores],
        sequences=[key.sequence_number for key in scores],
        scores=list(scores.values()),
        as_of=query.as_of,
    )
    return [_read(row) for row in rows]


def _read(row: Row) -> FoundEpisode:
    return FoundEpisode(episode=read_episode(row), score=float(row["score"]))
