"""Candidates for retrieval by their time: messages of the days and months that a question names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection, fetch_tuples
from shared.models import MessageKey, Query
from shared.store.search.literals import halfvec_literal


def list_said_between(
    connection: PgConnection, query: Query, first: datetime, last: datetime, limit: int
) -> list[MessageKey]:
    """The messages of a time, as evenly spread over it as `limit` allows, in order of time."""
    rows = fetch_tuples(
        connection,
        """
        SELECT conversation_id, sequence_number FROM (
            SELECT m.conversation_id::text, m.sequence_number, m.created_at,
                   row_number() OVER (ORDER BY m.created_at, m.conversation_id, m.sequence_number)
                       - 1 AS number,
                   count(*) OVER () AS total
            FROM conversations c JOIN messages m USING (conversation_id)
            WHERE c.user_id = %(user_id)s AND m.user_id = %(user_id)s AND c.mode <> 'off'
              AND NOT m.is_copy AND m.withheld_at IS NULL
              AND (c.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
              AND c.created_at <= %(last)s AND c.updated_at >= %(first)s
              AND m.created_at BETWEEN %(first)s AND %(last)s
              AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)) AS said
        WHERE number %% greatest(1, ceil(total / %(limit)s::float8)::bigint) = 0
        ORDER BY created_at, conversation_id, sequence_number
        """,
        user_id=query.user_id,
        first=first,
        last=last,
        limit=limit,
        as_of=query.as_of,
    )
    return [MessageKey(*key) for key in rows]


def list_nearest_between(
    connection: PgConnection,
    query: Query,
    spans: Sequence[tuple[datetime, datetime]],
    *,
    read: int,
    limit: int,
) -> list[MessageKey]:
    """The messages of these times that are nearest to the query, nearest first.

    At most `read` messages are compared for each time, of the conversations that were used last.
    Empty for a query without vectors.
    """
    if query.encoded is None or not spans:
        return []
    rows = fetch_tuples(
        connection,
        """
        WITH said AS MATERIALIZED (
            SELECT DISTINCT of_span.conversation_id, of_span.sequence_number
            FROM unnest(%(firsts)s::timestamptz[], %(lasts)s::timestamptz[])
                 AS span (first, last),
                 LATERAL (
                    SELECT m.conversation_id, m.sequence_number
                    FROM conversations c JOIN messages m USING (conversation_id)
                    WHERE c.user_id = %(user_id)s AND m.user_id = %(user_id)s AND c.mode <> 'off'
                      AND NOT m.is_copy AND m.withheld_at IS NULL
                      AND (c.conversation_id IN (SELECT kept_inside()))
                          = (current_project() IS NOT NULL)
                      AND c.created_at <= span.last AND c.updated_at >= span.first
                      AND m.created_at BETWEEN span.first AND span.last
                      AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
                    ORDER BY c.updated_at DESC, c.conversation_id DESC
                    LIMIT %(read)s) AS of_span)
        SELECT conversation_id::text, sequence_number
        FROM said JOIN message_embeddings USING (conversation_id, sequence_number)
        WHERE embedding_model = %(embedding_model)s
        ORDER BY (embedding <=> %(vector)s::halfvec) + 0, conversation_id, sequence_number
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        firsts=[first for first, _ in spans],
        lasts=[last for _, last in spans],
        embedding_model=query.model,
        vector=halfvec_literal(query.encoded.vector),
        as_of=query.as_of,
        read=read,
        limit=limit,
    )
    return [MessageKey(*key) for key in rows]
