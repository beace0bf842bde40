"""Read the messages of a shortlist, for scoring and for quotation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.db import PgConnection, fetch_tuples, prepared
from shared.models import MessageKey, Passage, Query, Quote, Shortlist, UserId
from shared.store.search.literals import array_literal, halfvec_literal, tsquery_literal

#: The part of a tsquery that matches any number: alternatives for lexemes that begin with a digit.
STARTS_WITH_A_DIGIT = "".join(f"|'{digit}':*" for digit in range(10))
BEGINNING_CHARS = 80


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What a search looks for in each message."""

    #: Lexemes. `Passage.matched` lists those that a message contains.
    words: Sequence[str]
    #: If this is not empty, `has_number` is true for a message with a number or one of its words.
    expected_words: str
    #: Matches the beginnings of messages that are `is_standing`.
    standing: re.Pattern[str]


def list_passages(
    connection: PgConnection, query: Query, shortlist: Shortlist, marks: Marks
) -> list[Passage]:
    """All messages in the windows of the shortlist, in no order. Only candidates have tokens."""
    rows = fetch_tuples(
        connection,
        prepared("""
        SELECT m.conversation_id::text, m.sequence_number, m.role, m.name, m.created_at,
               1 - (e.embedding <=> %(vector)s::halfvec),
               ARRAY(SELECT lexeme FROM unnest(%(words)s::text[], %(quoted)s::text[]::tsquery[])
                     AS asked (lexeme, word) WHERE m.words @@ word),
               length(m.words) - 1,  -- one of them is the owner's
               rtrim(right(m.content, 8)) LIKE '%%?',
               CASE WHEN m.role = 'user' THEN left(m.content, %(beginning)s) END,
               %(expected_words)s <> '' AND coalesce(m.words @@ (
                   SELECT (string_agg(quote_literal(lexeme), '|') || %(numbers)s)::tsquery
                   FROM unnest(said_words(%(expected_words)s))), false),
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
          AND m.withheld_at IS NULL
          AND (SELECT mode FROM conversations c
               WHERE c.conversation_id = given.conversation_id) <> 'off'
          AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
        """),
        user_id=query.user_id,
        conversations=array_literal(conversation_id for conversation_id, _ in shortlist.windows),
        firsts=array_literal(span.start for _, span in shortlist.windows),
        lasts=array_literal(span.end for _, span in shortlist.windows),
        close_conversations=array_literal(key.conversation_id for key in shortlist.candidates),
        close_sequences=array_literal(key.sequence_number for key in shortlist.candidates),
        words=list(marks.words),
        quoted=[tsquery_literal(word) for word in marks.words],
        expected_words=marks.expected_words,
        numbers=STARTS_WITH_A_DIGIT,
        beginning=BEGINNING_CHARS,
        vector=halfvec_literal(query.encoded.vector) if query.encoded else None,
        embedding_model=query.model,
        as_of=query.as_of,
    )
    is_standing = marks.standing.match  # here, since Postgres takes twenty times as long
    return [
        Passage._make((*before, bool(beginning and is_standing(beginning)), *after))
        for before, beginning, after in ((row[:9], row[9], row[10:]) for row in rows)
    ]


def list_quotes(
    connection: PgConnection, user_id: UserId, scores: Mapping[MessageKey, float], max_chars: int
) -> list[Quote]:
    """These messages in the order of `scores`, each with its first `max_chars` characters."""
    rows = fetch_tuples(
        connection,
        prepared("""
        SELECT conversation_id::text, sequence_number, role, name, created_at,
               left(content, %(max_chars)s)
        FROM unnest(%(conversations)s::text[]::uuid[], %(sequences)s::integer[]) WITH ORDINALITY
             AS given (conversation_id, sequence_number, place)
        JOIN messages USING (conversation_id, sequence_number)
        WHERE user_id = %(user_id)s AND content <> ''
        ORDER BY place
        """),
        user_id=user_id,
        conversations=[key.conversation_id for key in scores],
        sequences=[key.sequence_number for key in scores],
        max_chars=max_chars,
    )
    return [
        Quote(
            conversation_id=key.conversation_id,
            sequence_number=key.sequence_number,
            role=role,
            name=name,
            said_at=said_at,
            text=text,
            score=scores[key],
        )
        for key, role, name, said_at, text in ((MessageKey(*row[:2]), *row[2:]) for row in rows)
    ]
