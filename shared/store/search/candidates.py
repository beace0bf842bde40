"""Candidates for retrieval: messages that contain words of a query, or are near its vector."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from shared.db import PgConnection, defer, fetch_rows, fetch_tuples, prepared
from shared.models import MessageKey, Query, UserId
from shared.models.memory_scope import SHARED_MEMORY
from shared.store.rows import read_message_key
from shared.store.search.literals import halfvec_literal, tsquery_literal

#: The largest number of different words of a query that are searched for.
MAX_WORDS = 64
MOST_TELLING = 50  # messages; what more of them say is too common to be meant
MOST_TELLING_READ = 5000  # messages with one word

# The index, in which a project's messages stand among those of everybody, might end before it comes
# to them.
_NEAREST_INSIDE = prepared("""
SELECT conversation_id::text, sequence_number, distance
FROM (SELECT conversation_id, sequence_number,
             (embedding <=> %(vector)s::halfvec) + 0 AS distance
      FROM message_embeddings e
      WHERE user_id = %(user_id)s AND embedding_model = %(embedding_model)s
        AND current_project() IS NOT NULL
        AND conversation_id IN (SELECT kept_inside())
        AND (%(as_of)s::timestamptz IS NULL OR EXISTS (
            SELECT FROM messages m
            WHERE m.conversation_id = e.conversation_id
              AND m.sequence_number = e.sequence_number AND m.created_at <= %(as_of)s))
      ORDER BY distance
      LIMIT %(limit)s) AS nearest
""")
# Not prepared: how many vectors the user has decides between the index and a comparison of all.
_NEAREST = """
WITH near AS (
    SELECT conversation_id, sequence_number, embedding <=> %(vector)s::halfvec AS distance
    FROM message_embeddings e
    WHERE user_id = %(user_id)s AND embedding_model = %(embedding_model)s
      AND current_project() IS NULL
      AND conversation_id NOT IN (SELECT kept_inside())
      AND (%(as_of)s::timestamptz IS NULL OR EXISTS (
          SELECT FROM messages m
          WHERE m.conversation_id = e.conversation_id
            AND m.sequence_number = e.sequence_number AND m.created_at <= %(as_of)s))
    ORDER BY distance
    LIMIT %(limit)s)
SELECT conversation_id::text, sequence_number, distance FROM near ORDER BY distance
"""


def prepare_search(connection: PgConnection) -> None:
    """Set the planner for searches, until the end of the transaction.

    Only indexes are used: the planner underestimates the cost of a sequential scan, because it
    cannot know how rare a word is. The HNSW index is scanned until enough rows of the user are
    found.
    """
    defer(
        connection,
        """
        SET LOCAL enable_seqscan = off;
        SET LOCAL hnsw.iterative_scan = relaxed_order;
        SET LOCAL hnsw.ef_search = 100;
        """,
    )


class WordCounts(NamedTuple):
    #: How many of the user's messages and passages of files contain each lexeme. Messages that a
    #: branch has copies of count again.
    counts: dict[str, int]
    #: How many there are: of messages an estimate, two for each round.
    total: int
    #: Of files. 0: the user has none, or none is cut yet.
    passages: int


def count_containing(
    connection: PgConnection, user_id: UserId, text: str, at_most: int
) -> WordCounts:
    """Count where the lexemes of `text` are. Counting stops at `at_most` for each lexeme.

    In files they are looked up only if the user has any.
    """
    rows = fetch_tuples(
        connection,
        prepared("""
        WITH asked AS (
            SELECT lexeme FROM unnest(said_words(%(text)s)) LIMIT %(max_words)s),
        own AS MATERIALIZED (
            SELECT CASE WHEN current_project() IS NULL
                        THEN (SELECT 2 * turn_count FROM users WHERE user_id = %(user_id)s)
                        ELSE (SELECT sum(last_sequence + 1) FROM conversations
                              WHERE conversation_id IN (SELECT kept_inside())) END AS said,
                   (SELECT count(*) FROM (
                       SELECT FROM file_passages JOIN attachments USING (attachment_id)
                       WHERE file_passages.user_id = %(user_id)s
                         AND (conversation_id IN (SELECT kept_inside()))
                             = (current_project() IS NOT NULL)
                       LIMIT %(at_most)s) AS few) AS passages)
        SELECT lexeme, passages, (coalesce(said, 0) + passages)::bigint AS total,
               count_own_messages_containing(word, %(at_most)s)
               + CASE WHEN passages = 0 THEN 0 ELSE (
                   SELECT count(*) FROM own_passages_containing(word, %(at_most)s)) END AS count
        FROM own LEFT JOIN asked ON true, LATERAL quote_literal(lexeme) AS quoted,
             LATERAL CAST(quoted AS tsquery) AS word
        """),
        user_id=user_id,
        text=text,
        max_words=MAX_WORDS,
        at_most=at_most,
    )
    if not rows:
        return WordCounts({}, 0, 0)
    counts = {lexeme: count for lexeme, _, _, count in rows if lexeme is not None}
    _, passages, total, _ = rows[0]
    return WordCounts(counts, total, passages)


def read_words(connection: PgConnection, text: str) -> list[str]:
    """The lexemes of `text`, as the index of the messages has them."""
    rows = fetch_rows(connection, "SELECT lexeme FROM unnest(said_words(%(text)s))", text=text)
    return [row["lexeme"] for row in rows]


def list_containing(
    connection: PgConnection,
    query: Query,
    weights: Mapping[str, float],
    *,
    read: int,
    limit: int,
) -> dict[MessageKey, float]:
    """Messages that contain any of the lexemes, each with its score, best first.

    The score is the sum of the weights of a message's lexemes, reduced for long messages. At most
    `read` messages are read for each lexeme.
    """
    rows = fetch_tuples(
        connection,
        prepared("""
        SELECT conversation_id::text, sequence_number,
               sum(weight) / (1 + min(length) / 40.0::float8) AS score
        FROM unnest(%(quoted)s::text[]::tsquery[], %(weights)s::float8[]) AS asked (word, weight),
             LATERAL own_messages_containing(word, %(as_of)s::timestamptz, %(read)s) AS containing
        GROUP BY conversation_id, sequence_number
        ORDER BY score DESC, containing.conversation_id, sequence_number
        LIMIT %(limit)s
        """),
        quoted=[tsquery_literal(word) for word in weights],
        weights=list(weights.values()),
        read=read,
        limit=limit,
        as_of=query.as_of,
    )
    return {MessageKey(*key): score for *key, score in rows}


def list_nearest(connection: PgConnection, query: Query, limit: int) -> dict[MessageKey, float]:
    """The messages nearest to the query, in about that order, with their cosine similarities.

    Empty for a query without vectors. Of a project's own memory all are compared.
    """
    if query.encoded is None:
        return {}
    is_inside = getattr(connection, "memory", SHARED_MEMORY) != SHARED_MEMORY
    rows = fetch_tuples(
        connection,
        _NEAREST_INSIDE if is_inside else _NEAREST,
        user_id=query.user_id,
        embedding_model=query.model,
        vector=halfvec_literal(query.encoded.vector),
        limit=limit,
        as_of=query.as_of,
    )
    return {MessageKey(*key): 1 - distance for *key, distance in rows}


def list_telling(
    connection: PgConnection,
    user_id: UserId,
    weights: Mapping[str, float],
    *,
    share: float,
    before: datetime,
) -> list[MessageKey]:
    """The messages before a time with lexemes of at least this share of the weights.

    None if there are more than `MOST_TELLING`.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT said.conversation_id, said.sequence_number
        FROM unnest(%(quoted)s::tsquery[], %(weights)s::float8[]) AS asked (word, weight),
             LATERAL own_messages_containing(word, %(before)s, %(read)s) AS said
        JOIN messages m USING (conversation_id, sequence_number)
        WHERE m.user_id = %(user_id)s AND m.created_at < %(before)s
        GROUP BY said.conversation_id, said.sequence_number, m.created_at
        HAVING sum(weight) >= %(least)s
        LIMIT %(limit)s
        """,
        user_id=user_id,
        quoted=[tsquery_literal(word) for word in weights],
        weights=list(weights.values()),
        least=share * sum(weights.values()),
        before=before,
        read=MOST_TELLING_READ,
        limit=MOST_TELLING + 1,
    )
    return [read_message_key(row) for row in rows] if len(rows) <= MOST_TELLING else []
