"""Candidates for recall among a user's messages: by meaning, by words, and what stands beside.

What is off the record is never among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from shared.db import PgConnection, Row, execute, fetch_rows, fetch_tuples
from shared.models import (
    ConversationId,
    MessageKey,
    Passage,
    Query,
    Quote,
    Shortlist,
    Speaker,
    UserId,
    Vector,
)

MAX_WORDS = 64  # of one question
MAX_SPEAKERS = 50
STARTS_WITH_A_DIGIT = "".join(f"|'{digit}':*" for digit in range(10))


def prepare_search(connection: PgConnection) -> None:
    """For this transaction: only what an index leads to, and an index walk that goes on until
    enough of its rows are the user's.

    The planner cannot know how rare a word is before it is asked for, and takes reading the whole
    table for cheap; for one user's search it never is.
    """
    execute(
        connection,
        """
        SELECT set_config('enable_seqscan', 'off', true),
               set_config('hnsw.iterative_scan', 'relaxed_order', true),
               set_config('hnsw.ef_search', '100', true)
        """,
    )


def list_speakers(connection: PgConnection, user_id: UserId) -> list[Speaker]:
    """The names in the user's messages; each step of the walk is one look into the index."""
    rows = fetch_rows(
        connection,
        """
        WITH RECURSIVE named AS (
            (SELECT name, role, 1 AS place FROM messages
             WHERE user_id = %(user_id)s AND name IS NOT NULL
             ORDER BY name, role LIMIT 1)
            UNION ALL
            SELECT next.name, next.role, named.place + 1
            FROM named, LATERAL (
                SELECT name, role FROM messages
                WHERE user_id = %(user_id)s AND name IS NOT NULL
                  AND (name, role) > (named.name, named.role)
                ORDER BY name, role LIMIT 1) AS next
            WHERE named.place < %(limit)s)
        SELECT name, role FROM named
        """,
        user_id=user_id,
        limit=MAX_SPEAKERS,
    )
    return [Speaker(name=row["name"], role=row["role"]) for row in rows]


def count_holding(
    connection: PgConnection, user_id: UserId, text: str, at_most: int
) -> tuple[dict[str, int], int]:
    """Of each word of `text` how many of the user's messages hold it; counting stops at a limit.
    And about how many messages there are, where there are words: each of the user's has a reply.

    Words are lexemes, as the index has them.
    """
    rows = fetch_rows(
        connection,
        """
        WITH asked AS (
            SELECT lexeme FROM unnest(said_words(%(text)s)) LIMIT %(max_words)s)
        SELECT lexeme, (
            SELECT count(*) FROM (
                SELECT FROM messages
                WHERE words @@ (quote_literal(owner_word(%(user_id)s))::tsquery
                                && quote_literal(lexeme)::tsquery)
                LIMIT %(at_most)s) AS holding) AS count,
            (SELECT 2 * turn_count FROM users WHERE user_id = %(user_id)s) AS total
        FROM asked
        """,
        user_id=user_id,
        text=text,
        max_words=MAX_WORDS,
        at_most=at_most,
    )
    total = rows[0]["total"] if rows else None
    return {row["lexeme"]: row["count"] for row in rows}, total or 0


def read_words(connection: PgConnection, text: str) -> list[str]:
    """The lexemes of `text`, as the index has them."""
    rows = fetch_rows(connection, "SELECT lexeme FROM unnest(said_words(%(text)s))", text=text)
    return [row["lexeme"] for row in rows]


def list_holding(
    connection: PgConnection,
    query: Query,
    weights: Mapping[str, float],
    *,
    read: int,
    limit: int,
) -> dict[MessageKey, float]:
    """Messages that contain any of the words, with the sum of these words' weights, best first.

    At most `read` messages are looked at for each word.
    """
    rows = fetch_tuples(
        connection,
        """
        SELECT conversation_id::text, sequence_number,
               sum(weight) / (1 + min(length) / 40.0::float8) AS score
        FROM unnest(%(quoted)s::tsquery[], %(weights)s::float8[]) AS asked (word, weight),
             LATERAL (
                SELECT conversation_id, sequence_number, length(words) AS length FROM messages
                WHERE words @@ (quote_literal(owner_word(%(user_id)s))::tsquery && word)
                  AND user_id = %(user_id)s
                  AND (%(as_of)s::timestamptz IS NULL OR created_at <= %(as_of)s)
                LIMIT %(read)s) AS holding
        GROUP BY conversation_id, sequence_number
        ORDER BY score DESC, holding.conversation_id, sequence_number
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        quoted=[quote_word(word) for word in weights],
        weights=list(weights.values()),
        read=read,
        limit=limit,
        as_of=query.as_of,
    )
    return {MessageKey(*key): score for *key, score in rows}


def list_nearest(connection: PgConnection, query: Query, limit: int) -> dict[MessageKey, float]:
    """The messages nearest to the query, in about that order, with their cosine similarities.

    None for a query without vectors.
    """
    if query.encoded is None:
        return {}
    rows = fetch_tuples(
        connection,
        """
        SELECT conversation_id::text, sequence_number,
               embedding <=> %(vector)s::halfvec AS distance
        FROM message_embeddings e
        WHERE user_id = %(user_id)s AND embedding_model = %(embedding_model)s
          AND (%(as_of)s::timestamptz IS NULL OR EXISTS (
              SELECT FROM messages m
              WHERE m.conversation_id = e.conversation_id
                AND m.sequence_number = e.sequence_number AND m.created_at <= %(as_of)s))
        ORDER BY distance
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        embedding_model=query.model,
        vector=_halfvec(query.encoded.vector),
        limit=limit,
        as_of=query.as_of,
    )
    return {MessageKey(*key): 1 - distance for *key, distance in rows}


def list_passages(
    connection: PgConnection,
    query: Query,
    shortlist: Shortlist,
    *,
    words: Sequence[str],
    answered_with: str,
) -> list[Passage]:
    """All messages in the windows of the shortlist, in no order. Only candidates have tokens.

    `words` and the words of `answered_with` are looked for in each of them.
    """
    rows = fetch_tuples(
        connection,
        """
        SELECT m.conversation_id::text, m.sequence_number, m.role, m.name, m.created_at,
               1 - (e.embedding <=> %(vector)s::halfvec),
               ARRAY(SELECT lexeme FROM unnest(%(words)s::text[], %(quoted)s::tsquery[])
                     AS asked (lexeme, word) WHERE m.words @@ word),
               length(m.words) - 1,  -- one of them is the owner's
               rtrim(right(m.content, 8)) LIKE '%%?',
               %(answered_with)s <> '' AND coalesce(m.words @@ (
                   SELECT (string_agg(quote_literal(lexeme), '|') || %(numbers)s)::tsquery
                   FROM unnest(said_words(%(answered_with)s))), false),
               CASE WHEN (m.conversation_id, m.sequence_number) IN (
                   SELECT unnest(%(close_conversations)s::uuid[]),
                          unnest(%(close_sequences)s::integer[])) THEN e.token_signs END
        FROM unnest(%(conversations)s::uuid[], %(firsts)s::integer[], %(lasts)s::integer[])
             AS given (conversation_id, first, last)
        JOIN messages m
            ON m.conversation_id = given.conversation_id
            AND m.sequence_number BETWEEN given.first AND given.last
        LEFT JOIN message_embeddings e
            ON e.conversation_id = m.conversation_id AND e.sequence_number = m.sequence_number
            AND e.embedding_model = %(embedding_model)s
        WHERE m.user_id = %(user_id)s AND m.status <> 'streaming' AND m.content <> ''
          AND (SELECT mode FROM conversations c
               WHERE c.conversation_id = given.conversation_id) <> 'off'
          AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
        """,
        user_id=query.user_id,
        conversations=_array(conversation_id for conversation_id, _ in shortlist.windows),
        firsts=_array(span.start for _, span in shortlist.windows),
        lasts=_array(span.end for _, span in shortlist.windows),
        close_conversations=_array(key.conversation_id for key in shortlist.candidates),
        close_sequences=_array(key.sequence_number for key in shortlist.candidates),
        words=list(words),
        quoted=[quote_word(word) for word in words],
        answered_with=answered_with,
        numbers=STARTS_WITH_A_DIGIT,
        vector=_halfvec(query.encoded.vector) if query.encoded else None,
        embedding_model=query.model,
        as_of=query.as_of,
    )
    return [Passage._make(row) for row in rows]


def list_quotes(
    connection: PgConnection, user_id: UserId, scores: Mapping[MessageKey, float], max_chars: int
) -> list[Quote]:
    """These messages, in no order, each with its score and its first `max_chars` characters."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id, sequence_number, role, name, created_at,
               left(content, %(max_chars)s) AS text
        FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[])
             AS given (conversation_id, sequence_number)
        JOIN messages USING (conversation_id, sequence_number)
        WHERE user_id = %(user_id)s AND content <> ''
        """,
        user_id=user_id,
        conversations=[key.conversation_id for key in scores],
        sequences=[key.sequence_number for key in scores],
        max_chars=max_chars,
    )
    return [_quote(row, scores[_key(row)]) for row in rows]


def quote_word(word: str) -> str:
    """A lexeme as tsquery reads it: nothing in it is an operator."""
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _array(values: Iterable[object]) -> str:
    """Numbers or ids as one literal, which is read faster than a list's many."""
    return f"{{{','.join(map(str, values))}}}"


def _halfvec(vector: Vector) -> str:
    """As pgvector reads it, for less than by its own function; five digits tell halves apart."""
    halves = vector.astype(np.float16).tolist()
    return f"[{('%.5g,' * len(halves) % tuple(halves))[:-1]}]"


def _key(row: Row) -> MessageKey:
    return MessageKey(
        conversation_id=ConversationId(str(row["conversation_id"])),
        sequence_number=row["sequence_number"],
    )


def _quote(row: Row, score: float) -> Quote:
    return Quote(
        conversation_id=ConversationId(str(row["conversation_id"])),
        sequence_number=row["sequence_number"],
        role=row["role"],
        name=row["name"],
        said_at=row["created_at"],
        text=row["text"],
        score=score,
    )
