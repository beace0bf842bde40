"""Hits of the search page: by words through an index, or by parts of words in a scan.

Words are stemmed in the languages of `recall_languages()`: in English "running" finds "run". Parts
of words, and numbers with signs, are found as they are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, Row, fetch_rows
from shared.models import ConversationId, MessageKey, Query, Role, SearchFilter, UserId
from shared.policy.snippets import HIT_BEGINS, HIT_ENDS
from shared.policy.text import containing_pattern, folded_patterns
from shared.store.rows import read_conversation_id

HEADLINE = (
    f"StartSel={HIT_BEGINS}, StopSel={HIT_ENDS}, MaxFragments=2, MaxWords=24, MinWords=8, "
    "ShortWord=0, "
    'FragmentDelimiter=" … "'
)


@dataclass(frozen=True, kw_only=True)
class FoundMessage:
    conversation_id: ConversationId
    title: str | None
    sequence_number: int
    role: Role
    content: str
    created_at: datetime


def search_by_words(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[FoundMessage]:
    """Messages that contain every word of the query. Quotes and minus signs work.

    Messages that contain the query as it is written come first ("C++" before "C"), then by rank.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT m.conversation_id, m.sequence_number, m.role, m.content, m.created_at,
               (SELECT title FROM conversations c
                WHERE c.conversation_id = m.conversation_id) AS title
        FROM asked_words(%(query)s) AS query
        CROSS JOIN own_messages_containing(query, %(as_of)s::timestamptz, NULL) AS containing
        JOIN messages m USING (conversation_id, sequence_number)
        WHERE m.user_id = %(user_id)s AND numnode(query) > 0
          AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
          AND (%(role)s::text IS NULL OR m.role = %(role)s)
          AND (%(conversation_ids)s::uuid[] IS NULL
               OR m.conversation_id = ANY(%(conversation_ids)s::uuid[]))
        ORDER BY m.content ILIKE ALL (%(patterns)s::text[]) DESC,
                 ts_rank_cd(m.words, query) DESC, m.created_at DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        query=query.text,
        patterns=[containing_pattern(part) for part in query.text.split()],
        limit=limit,
        as_of=query.as_of,
        since=only.since,
        role=only.role,
        conversation_ids=only.conversation_ids,
    )
    return [_from_row(row) for row in rows]


def search_by_parts(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[FoundMessage]:
    """The user's messages that contain every part of the query, also within words; newest first.

    Spelling, as `fold` reads it, does not matter.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT m.conversation_id, c.title, m.sequence_number, m.role, m.content, m.created_at
        FROM conversations c JOIN messages m USING (conversation_id)
        WHERE c.user_id = %(user_id)s AND fold(m.content) LIKE ALL (%(patterns)s::text[])
          AND NOT m.is_copy AND m.withheld_at IS NULL
          AND (c.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
          AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
          AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
          AND (%(role)s::text IS NULL OR m.role = %(role)s)
          AND (%(conversation_ids)s::uuid[] IS NULL
               OR m.conversation_id = ANY(%(conversation_ids)s::uuid[]))
        ORDER BY m.created_at DESC, m.sequence_number DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        patterns=folded_patterns(query.text),
        limit=limit,
        as_of=query.as_of,
        since=only.since,
        role=only.role,
        conversation_ids=only.conversation_ids,
    )
    return [_from_row(row) for row in rows]


def list_found(
    connection: PgConnection,
    user_id: UserId,
    keys: Sequence[MessageKey],
    only: SearchFilter,
    limit: int,
) -> list[FoundMessage]:
    """The first `limit` of these messages that pass the filter, in the order of `keys`."""
    rows = fetch_rows(
        connection,
        """
        SELECT m.conversation_id, c.title, m.sequence_number, m.role, m.content, m.created_at
        FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[]) WITH ORDINALITY
             AS given (conversation_id, sequence_number, number)
        JOIN messages m USING (conversation_id, sequence_number)
        JOIN conversations c USING (conversation_id)
        WHERE m.user_id = %(user_id)s
          AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
          AND (%(role)s::text IS NULL OR m.role = %(role)s)
          AND (%(conversation_ids)s::uuid[] IS NULL
               OR m.conversation_id = ANY(%(conversation_ids)s::uuid[]))
        ORDER BY given.number
        LIMIT %(limit)s
        """,
        user_id=user_id,
        conversations=[key.conversation_id for key in keys],
        sequences=[key.sequence_number for key in keys],
        since=only.since,
        role=only.role,
        conversation_ids=only.conversation_ids,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def mark_hits(connection: PgConnection, texts: Sequence[str], query: str) -> list[str]:
    """For each text the fragments that contain words of the query, in the order of `texts`.

    Each hit stands between the marks `HIT_BEGINS` and `HIT_ENDS`, as it is spelled in the text.
    """
    rows = fetch_rows(
        connection,
        """
        WITH query AS (
            SELECT coalesce(string_agg(quote_literal(lexeme), ' | '), '')::tsquery AS words
            FROM unnest(said_words(%(query)s)))
        SELECT ts_headline((recall_languages())[1], plain, words || spelled, %(options)s) AS marked
        FROM query, unnest(%(texts)s::text[]) WITH ORDINALITY AS given (text, number),
             translate(left(text, 100000), %(marks)s, '') AS plain,
             LATERAL (
                SELECT coalesce(string_agg(quote_literal(lexeme), ' | '), '')::tsquery AS spelled
                FROM unnest(spelled_words(plain)) WHERE said_words(lexeme) @@ words) AS forms
        ORDER BY number
        """,
        query=query,
        texts=list(texts),
        marks=HIT_BEGINS + HIT_ENDS,
        options=HEADLINE,
    )
    return [row["marked"] for row in rows]


def _from_row(row: Row) -> FoundMessage:
    return FoundMessage(
        conversation_id=read_conversation_id(row),
        title=row["title"],
        sequence_number=row["sequence_number"],
        role=row["role"],
        content=row["content"],
        created_at=row["created_at"],
    )
