"""Find passages of files: those near to a question for recall, and hits for the search page.

Passages of files off the record are hits as their messages are, and are not recalled. Those of
messages that are withheld are neither.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from shared.db import PgConnection, Row, fetch_rows
from shared.models import ConversationId, Passage, Query, SearchFilter, Span, UserId
from shared.models.attachments import FilePassage
from shared.policy.attachments.places import read_place
from shared.policy.text import containing_pattern, folded_patterns
from shared.store.rows import read_conversation_id
from shared.store.search.literals import halfvec_literal, tsquery_literal
from shared.store.search.passages import STARTS_WITH_A_DIGIT


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The words of a question, in the forms in which passages are searched."""

    #: Lexemes with their weights.
    words: Mapping[str, float]
    #: Those of them that are looked up.
    rarest: Collection[str]
    #: As in `passages.Marks`.
    expected_words: str
    #: Spans of conversations: the files of these messages are left out.
    left_out: Sequence[tuple[str, Span]] = ()


def list_candidates(
    connection: PgConnection, query: Query, selection: Wanted, *, read: int, limit: int
) -> list[tuple[Passage, FilePassage]]:
    """The passages nearest to the query, and those with the rarest words, in no order.

    At most `limit` of each kind; at most `read` are read for each word.
    """
    rows = fetch_rows(
        connection,
        """
        WITH left_out AS MATERIALIZED (
            SELECT attachment_id FROM attachments
            JOIN unnest(%(conversations)s::uuid[], %(firsts)s::integer[], %(lasts)s::integer[])
                 AS given (conversation_id, first, last) USING (conversation_id)
            WHERE sequence_number BETWEEN first AND last
            UNION ALL
            SELECT attachment_id FROM attachments
            JOIN messages m USING (conversation_id, sequence_number)
            WHERE m.created_at > %(as_of)s::timestamptz
            UNION ALL
            SELECT attachment_id FROM attachments
            WHERE user_id = %(user_id)s
              AND (conversation_id IN (SELECT kept_inside())) <> (current_project() IS NOT NULL)),
        near AS MATERIALIZED (
            (SELECT passage_id FROM file_passages
             WHERE user_id = %(user_id)s AND embedding_model = %(embedding_model)s
               AND %(vector)s::halfvec IS NOT NULL AND current_project() IS NULL
               AND attachment_id NOT IN (SELECT attachment_id FROM left_out)
             ORDER BY embedding <=> %(vector)s::halfvec
             LIMIT %(limit)s)
            UNION ALL
            (SELECT passage_id FROM file_passages
             WHERE user_id = %(user_id)s AND embedding_model = %(embedding_model)s
               AND %(vector)s::halfvec IS NOT NULL AND current_project() IS NOT NULL
               AND attachment_id NOT IN (SELECT attachment_id FROM left_out)
             ORDER BY (embedding <=> %(vector)s::halfvec) + 0
             LIMIT %(limit)s)),
        containing AS MATERIALIZED (
            SELECT passage_id
            FROM unnest(%(asked)s::tsquery[], %(weights)s::float8[]) AS asked (word, weight),
                 LATERAL own_passages_containing(word, %(read)s) AS found
            JOIN file_passages p USING (passage_id)
            WHERE NOT p.is_off_record
              AND p.attachment_id NOT IN (SELECT attachment_id FROM left_out)
            GROUP BY passage_id
            ORDER BY sum(weight) DESC, passage_id
            LIMIT %(limit)s)
        SELECT p.attachment_id, p.number, a.name, m.conversation_id, m.sequence_number, c.title,
               m.created_at, p.text, p.place, p.token_signs,
               CASE WHEN p.embedding_model = %(embedding_model)s
                    THEN 1 - (p.embedding <=> %(vector)s::halfvec) END AS similarity,
               ARRAY(SELECT lexeme FROM unnest(%(words)s::text[], %(quoted)s::tsquery[])
                     AS asked (lexeme, word) WHERE p.words @@ word) AS matched,
               length(p.words) - 1 AS length,  -- one of them is the owner's
               %(expected_words)s <> '' AND coalesce(p.words @@ (
                   SELECT (string_agg(quote_literal(lexeme), '|') || %(numbers)s)::tsquery
                   FROM unnest(said_words(%(expected_words)s))), false) AS has_number
        FROM (SELECT passage_id FROM near UNION SELECT passage_id FROM containing) AS found
        JOIN file_passages p USING (passage_id)
        JOIN attachments a USING (attachment_id)
        JOIN messages m USING (conversation_id, sequence_number)
        JOIN conversations c USING (conversation_id)
        WHERE p.user_id = %(user_id)s AND m.withheld_at IS NULL
        """,
        user_id=query.user_id,
        conversations=[conversation_id for conversation_id, _ in selection.left_out],
        firsts=[span.start for _, span in selection.left_out],
        lasts=[span.end for _, span in selection.left_out],
        embedding_model=query.model,
        vector=halfvec_literal(query.encoded.vector) if query.encoded else None,
        asked=[tsquery_literal(word) for word in selection.rarest],
        weights=[selection.words[word] for word in selection.rarest],
        words=list(selection.words),
        quoted=[tsquery_literal(word) for word in selection.words],
        expected_words=selection.expected_words,
        numbers=STARTS_WITH_A_DIGIT,
        read=read,
        limit=limit,
        as_of=query.as_of,
    )
    return [(_scored(row), _passage(row)) for row in rows]


def list_by_place(
    connection: PgConnection, user_id: UserId, places: Sequence[tuple[str, int]]
) -> list[FilePassage]:
    """The passages with these (file's id, number) that still exist, in no order."""
    rows = fetch_rows(
        connection,
        """
        SELECT p.attachment_id, p.number, a.name, m.conversation_id, m.sequence_number, c.title,
               m.created_at, p.text, p.place
        FROM unnest(%(files)s::uuid[], %(numbers)s::integer[]) AS given (attachment_id, number)
        JOIN file_passages p USING (attachment_id, number)
        JOIN attachments a USING (attachment_id)
        JOIN messages m USING (conversation_id, sequence_number)
        JOIN conversations c USING (conversation_id)
        WHERE p.user_id = %(user_id)s
        """,
        user_id=user_id,
        files=[attachment_id for attachment_id, _ in places],
        numbers=[number for _, number in places],
    )
    return [_passage(row) for row in rows]


def search_by_words(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[FilePassage]:
    """The best passage of each file that contains every word of the query; best files first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM (
            SELECT DISTINCT ON (p.attachment_id)
                   p.attachment_id, p.number, a.name, m.conversation_id, m.sequence_number, c.title,
                   m.created_at, p.text, p.place,
                   p.text ILIKE ALL (%(patterns)s::text[]) AS is_literal,
                   ts_rank_cd(p.words, query) AS rank
            FROM asked_words(%(query)s) AS query
            CROSS JOIN own_passages_containing(query, NULL) AS containing
            JOIN file_passages p USING (passage_id)
            JOIN attachments a USING (attachment_id)
            JOIN messages m USING (conversation_id, sequence_number)
            JOIN conversations c USING (conversation_id)
            WHERE p.user_id = %(user_id)s AND m.withheld_at IS NULL AND numnode(query) > 0
              AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
              AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
              AND (%(conversation_ids)s::uuid[] IS NULL
               OR m.conversation_id = ANY(%(conversation_ids)s::uuid[]))
            ORDER BY p.attachment_id, is_literal DESC, rank DESC, p.number) AS best
        ORDER BY is_literal DESC, rank DESC, created_at DESC
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        query=query.text,
        patterns=[containing_pattern(part) for part in query.text.split()],
        limit=limit,
        as_of=query.as_of,
        since=only.since,
        conversation_ids=only.conversation_ids,
    )
    return [_passage(row) for row in rows]


def search_by_parts(
    connection: PgConnection, query: Query, only: SearchFilter, limit: int
) -> list[FilePassage]:
    """The first passage of each file with every part of the query in it or in the file's name.

    The newest files come first. Spelling, as `fold` reads it, does not matter.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM (
            SELECT DISTINCT ON (p.attachment_id)
                   p.attachment_id, p.number, a.name, m.conversation_id, m.sequence_number, c.title,
                   m.created_at, p.text, p.place
            FROM file_passages p
            JOIN attachments a USING (attachment_id)
            JOIN messages m USING (conversation_id, sequence_number)
            JOIN conversations c USING (conversation_id)
            WHERE p.user_id = %(user_id)s AND m.withheld_at IS NULL
              AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
              AND (fold(p.text) LIKE ALL (%(patterns)s::text[])
                   OR fold(a.name) LIKE ALL (%(patterns)s::text[]))
              AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
              AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
              AND (%(conversation_ids)s::uuid[] IS NULL
               OR m.conversation_id = ANY(%(conversation_ids)s::uuid[]))
            ORDER BY p.attachment_id, p.number) AS firsts
        ORDER BY created_at DESC, attachment_id
        LIMIT %(limit)s
        """,
        user_id=query.user_id,
        patterns=folded_patterns(query.text),
        limit=limit,
        as_of=query.as_of,
        since=only.since,
        conversation_ids=only.conversation_ids,
    )
    return [_passage(row) for row in rows]


def _scored(row: Row) -> Passage:
    return Passage(
        conversation_id=ConversationId(str(row["attachment_id"])),
        sequence_number=row["number"],
        role="file",
        name=None,
        said_at=row["created_at"],
        similarity=row["similarity"],
        matched=row["matched"],
        length=row["length"],
        is_question=False,
        is_standing=False,
        has_number=row["has_number"],
        token_signs=row["token_signs"],
    )


def _passage(row: Row) -> FilePassage:
    return FilePassage(
        attachment_id=str(row["attachment_id"]),
        number=row["number"],
        name=row["name"],
        conversation_id=read_conversation_id(row),
        sequence_number=row["sequence_number"],
        title=row["title"],
        sent_at=row["created_at"],
        text=row["text"],
        place=read_place(row["place"]),
    )
