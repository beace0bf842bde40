"""The names of a user and of those whom they talk with, as a question may contain them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.db import PgConnection, fetch_tuples, prepared
from shared.models import Speaker, UserId
from shared.policy.ranking.nicknames import BEGINNING_CHARS, Beginning

MAX_SPEAKERS = 50
MOST_BEGINNINGS = 100  # messages that are read for each word


class KnownNames(NamedTuple):
    #: The names under which the user's messages were said, at most `MAX_SPEAKERS`.
    speakers: list[Speaker]
    #: The user's own names, by the facts.
    of_user: list[str]


def list_names(connection: PgConnection, user_id: UserId) -> KnownNames:
    """The names that a question may contain.

    Each step of the recursion is one look-up in the index.
    """
    rows = fetch_tuples(
        connection,
        prepared("""
        WITH RECURSIVE named AS (
            (SELECT name, role, 1 AS number FROM messages
             WHERE user_id = %(user_id)s AND name IS NOT NULL
               AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
             ORDER BY name, role LIMIT 1)
            UNION ALL
            SELECT next.name, next.role, named.number + 1
            FROM named, LATERAL (
                SELECT name, role FROM messages
                WHERE user_id = %(user_id)s AND name IS NOT NULL
                  AND (name, role) > (named.name, named.role)
                  AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
                ORDER BY name, role LIMIT 1) AS next
            WHERE named.number < %(limit)s)
        SELECT name, role FROM named
        UNION ALL
        (SELECT value, NULL FROM structured_facts
         WHERE user_id = %(user_id)s AND is_active AND category = 'identity' AND key = 'name')
        """),
        user_id=user_id,
        limit=MAX_SPEAKERS,
    )
    return KnownNames(
        speakers=[Speaker(name=name, role=role) for name, role in rows if role is not None],
        of_user=[name for name, role in rows if role is None],
    )


def list_beginnings(
    connection: PgConnection, user_id: UserId, words: Sequence[str]
) -> list[Beginning]:
    """How messages with these words begin, each with the one who spoke before or else after it."""
    rows = fetch_tuples(
        connection,
        prepared("""
        SELECT asked.word, coalesce(before.name, after.name), left(m.content, %(chars)s)
        FROM unnest(%(words)s::text[]) AS asked (word),
             LATERAL own_messages_containing(asked_words(word), NULL, %(read)s) AS containing
        JOIN messages m USING (conversation_id, sequence_number)
        LEFT JOIN messages before
            ON before.conversation_id = m.conversation_id
            AND before.sequence_number = m.sequence_number - 1
        LEFT JOIN messages after
            ON after.conversation_id = m.conversation_id
            AND after.sequence_number = m.sequence_number + 1
        WHERE m.user_id = %(user_id)s AND m.name IS NOT NULL
          AND coalesce(before.name, after.name) IS NOT NULL
        """),
        user_id=user_id,
        words=list(words),
        chars=BEGINNING_CHARS,
        read=MOST_BEGINNINGS,
    )
    return [Beginning(*row) for row in rows]
