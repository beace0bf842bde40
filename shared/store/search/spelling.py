"""Find words in a user's messages that are similar to a misspelt word. All words are folded.

There is no table of words: it would keep words of deleted messages. The index and the messages are
read instead. Words of conversations off the record are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from shared.db import PgConnection, StatementTimeout, attempt, fetch_rows, fetch_tuples, prepared
from shared.models import Query
from shared.policy.ranking.spelling import errors_allowed

NEWEST_MESSAGES = 10_000
MAX_CHARS = 2_000  # of each message
MAX_READ = 50  # messages that are read for each variant
#: The count of a stop word, above any other: a similar word is most likely misspelt.
STOP_WORD_COUNT = 1_000_000
# A word that takes longer than this is not corrected.
LOOK_UP_TIMEOUT_S = 0.75
READ_TIMEOUT_S = 1.0


def list_unknown_words(connection: PgConnection, query: Query, words: Sequence[str]) -> list[str]:
    """The words that no message, episode or file of the user contains in any form.

    A query that is a message itself does not count. Stop words ("which") are left out.
    """
    rows = fetch_tuples(
        connection,
        prepared("""
        SELECT word
        FROM unnest(%(words)s::text[]) WITH ORDINALITY AS asked (word, place),
             LATERAL (
                SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS query
                FROM unnest(said_words(word))) AS read
        WHERE query IS NOT NULL
          AND NOT EXISTS (
              SELECT FROM own_messages_containing(
                  query, %(as_of)s::timestamptz, %(said_times)s::bigint + 1)
              OFFSET %(said_times)s)
          AND NOT EXISTS (
              SELECT FROM episodic_memory AS episode
              WHERE user_id = %(user_id)s AND status = 'completed' AND episode.words @@ query
                AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL))
          AND NOT EXISTS (SELECT FROM own_passages_containing(query, 1))
        ORDER BY place
        """),
        words=list(words),
        user_id=query.user_id,
        said_times=int(query.is_message),
        as_of=query.as_of,
    )
    return [word for (word,) in rows]


def count_words_near(
    connection: PgConnection, query: Query, word: str, variants: Sequence[str]
) -> dict[str, int]:
    """How often each word similar to `word` was said, in messages that contain one of `variants`.

    It takes one look-up in the index for each variant. The index finds any form of a variant; the
    messages are read for the form that was said. A stop word ("which") counts as `STOP_WORD_COUNT`.
    Empty after a time-out.
    """
    sql = """
        WITH read AS MATERIALIZED (
            SELECT lexeme, place
            FROM unnest(recall_languages()) AS language,
                 unnest(to_tsvector(language, %(text)s)) AS one, unnest(positions) AS place)
        SELECT match[1] AS word, count(*) AS count
        FROM (SELECT DISTINCT lexeme FROM read) AS lexemes,
             LATERAL (
                SELECT fold(left(content, %(max_chars)s)) AS content
                FROM own_messages_containing(
                    quote_literal(lexeme)::tsquery, %(as_of)s::timestamptz, %(most)s)
                JOIN messages m USING (conversation_id, sequence_number)
                JOIN conversations c USING (conversation_id)
                WHERE m.user_id = %(user_id)s AND c.mode <> 'off') AS containing,
             regexp_matches(content, %(pattern)s, 'g') AS match
        GROUP BY 1
        UNION ALL
        SELECT variant, %(more_than_any)s
        FROM unnest(%(variants)s::text[]) WITH ORDINALITY AS asked (variant, place)
        WHERE place NOT IN (SELECT place FROM read)
    """
    return _count_in_time(
        connection,
        LOOK_UP_TIMEOUT_S,
        sql,
        user_id=query.user_id,
        variants=list(variants),
        text=" ".join(variants),
        pattern=_pattern_of([word]),
        as_of=query.as_of,
        max_chars=MAX_CHARS,
        most=MAX_READ,
        more_than_any=STOP_WORD_COUNT,
    )


def count_words_like(
    connection: PgConnection,
    query: Query,
    words: Sequence[str],
    *,
    timeout_s: float = READ_TIMEOUT_S,
) -> dict[str, int]:
    """How often each word similar to one of `words` was said, in the newest messages.

    It reads the messages: tens of milliseconds for a thousand long ones. Empty after a time-out.
    """
    sql = """
        SELECT match[1] AS word, count(*) AS count
        FROM (
            SELECT fold(left(content, %(max_chars)s)) AS content
            FROM conversations c JOIN messages m USING (conversation_id)
            WHERE c.user_id = %(user_id)s AND c.mode <> 'off'
              AND m.withheld_at IS NULL
              AND (c.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
              AND (%(as_of)s::timestamptz IS NULL OR m.created_at <= %(as_of)s)
            ORDER BY c.updated_at DESC, c.conversation_id DESC, sequence_number DESC
            LIMIT %(newest)s) AS newest,
            regexp_matches(content, %(pattern)s, 'g') AS match
        GROUP BY 1
    """
    return _count_in_time(
        connection,
        timeout_s,
        sql,
        user_id=query.user_id,
        pattern=_pattern_of(words),
        as_of=query.as_of,
        newest=NEWEST_MESSAGES,
        max_chars=MAX_CHARS,
    )


def _count_in_time(
    connection: PgConnection, seconds: float, sql: LiteralString, **args: object
) -> dict[str, int]:
    """Count words; empty after a time-out. The transaction goes on."""
    try:
        with attempt(connection, seconds):
            return {row["word"]: row["count"] for row in fetch_rows(connection, sql, **args)}
    except StatementTimeout:
        return {}


def _pattern_of(words: Sequence[str]) -> str:
    return rf"\m(?:{'|'.join(map(_pattern, words))})\M"


def _pattern(word: str) -> str:
    """Matches words of similar length with the same first letter, or with the first two swapped."""
    least, most = len(word) - errors_allowed(word) - 1, len(word) + errors_allowed(word) - 1
    return f"(?:{word[0]}|{word[1]}(?={word[0]}))[[:alpha:]]{{{least},{most}}}"
