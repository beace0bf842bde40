"""Replies by what their prompts contained, as their traces say: messages, and kept variants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.db import PgConnection, Row, execute, fetch_rows
from shared.models import ConversationId, MessageKey, UserId
from shared.store.rows import read_message_key


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The messages and other texts that a reply may repeat."""

    fact_ids: Sequence[int] = ()
    messages: Sequence[MessageKey] = ()
    #: With all their messages, episodes and files.
    conversations: Sequence[ConversationId] = ()
    #: Also the later replies of the messages' own conversations, whose prompts had them as turns.
    with_own_conversations: bool = False
    #: Episodes of the above, by id, with their summaries.
    episodes: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class InformedReply:
    """A reply that was given one of the sources."""

    key: MessageKey
    #: None: it is the message. Otherwise a variant that is not chosen.
    variant: int | None
    text: str
    question: str
    trace: dict[str, Any]


def find_episodes(
    connection: PgConnection,
    messages: Sequence[MessageKey],
    conversations: Sequence[ConversationId] = (),
) -> dict[int, str]:
    """The summaries, by id, of episodes of these messages, or of these conversations."""
    rows = fetch_rows(
        connection,
        """
        SELECT id, summary FROM episodic_memory e
        WHERE summary IS NOT NULL AND (
            conversation_id = ANY(%(conversations)s::uuid[])
            OR EXISTS (
                SELECT FROM unnest(%(homes)s::uuid[], %(sequences)s::integer[])
                     AS said (conversation_id, sequence)
                WHERE said.conversation_id = e.conversation_id
                  AND said.sequence BETWEEN turn_start AND turn_end))
        """,
        conversations=list(conversations),
        homes=[key.conversation_id for key in messages],
        sequences=[key.sequence_number for key in messages],
    )
    return {row["id"]: row["summary"] for row in rows}


def list_informed(
    connection: PgConnection, user_id: UserId, sources: Sources
) -> list[InformedReply]:
    """The user's closed replies whose prompts contained one of the sources.

    It reads all traces of the user. A reply without text is included if its reasoning is kept.
    """
    rows = fetch_rows(
        connection,
        """
        WITH replies AS (
            SELECT conversation_id, sequence_number, NULL::integer AS variant, content, trace
            FROM messages
            WHERE user_id = %(user_id)s AND role = 'assistant' AND status <> 'streaming'
              AND (content <> '' OR trace ? 'reasoning')
            UNION ALL
            SELECT conversation_id, sequence_number, variant, content, trace
            FROM reply_variants WHERE user_id = %(user_id)s)
        SELECT r.*, coalesce(question.content, '') AS question
        FROM replies r
        LEFT JOIN messages question ON question.conversation_id = r.conversation_id
             AND question.sequence_number = r.sequence_number - 1
        WHERE r.conversation_id <> ALL(%(conversations)s::uuid[]) AND (
            r.trace->'facts' @> ANY(%(facts)s::jsonb[])
            OR r.trace->'messages' @> ANY(%(messages)s::jsonb[])
            OR r.trace->'episodes' @> ANY(%(episodes)s::jsonb[])
            OR r.trace->'passages' @> ANY(ARRAY(
                SELECT jsonb_build_array(jsonb_build_object('attachment_id', a.attachment_id))
                FROM attachments a WHERE a.conversation_id = ANY(%(conversations)s::uuid[])))
            OR EXISTS (
                SELECT FROM unnest(%(homes)s::uuid[], %(sequences)s::integer[])
                     AS said (conversation_id, sequence)
                WHERE %(with_own)s AND said.conversation_id = r.conversation_id
                  AND said.sequence < r.sequence_number))
        ORDER BY r.conversation_id, r.sequence_number
        """,
        user_id=user_id,
        conversations=list(sources.conversations),
        facts=[json.dumps([{"fact_id": fact_id}]) for fact_id in sources.fact_ids],
        messages=_list_patterns(sources),
        episodes=[json.dumps([{"episode_id": episode_id}]) for episode_id in sources.episodes],
        homes=[key.conversation_id for key in sources.messages],
        sequences=[key.sequence_number for key in sources.messages],
        with_own=sources.with_own_conversations,
    )
    return [_from_row(row) for row in rows]


def forget_reasoning(
    connection: PgConnection,
    user_id: UserId,
    replies: Sequence[InformedReply],
    patterns: Sequence[str],
) -> None:
    """Delete what was thought before these replies, and all that matches one of the LIKE patterns.

    The replies stay.
    """
    arguments = {
        "user_id": user_id,
        "homes": [reply.key.conversation_id for reply in replies],
        "sequences": [reply.key.sequence_number for reply in replies],
        "variants": [reply.variant for reply in replies],
        "patterns": list(patterns),
    }
    execute(
        connection,
        """
        UPDATE messages m SET trace = trace - 'reasoning'
        WHERE user_id = %(user_id)s AND status <> 'streaming' AND trace ? 'reasoning' AND (
            trace->'reasoning'->>'text' ILIKE ANY (%(patterns)s::text[])
            OR EXISTS (
                SELECT FROM unnest(%(homes)s::uuid[], %(sequences)s::integer[],
                                   %(variants)s::integer[]) AS reply (home, sequence, variant)
                WHERE reply.home = m.conversation_id AND reply.sequence = m.sequence_number
                  AND reply.variant IS NULL))
        """,
        **arguments,
    )
    execute(
        connection,
        """
        UPDATE reply_variants v SET trace = trace - 'reasoning'
        WHERE user_id = %(user_id)s AND trace ? 'reasoning' AND (
            trace->'reasoning'->>'text' ILIKE ANY (%(patterns)s::text[])
            OR EXISTS (
                SELECT FROM unnest(%(homes)s::uuid[], %(sequences)s::integer[],
                                   %(variants)s::integer[]) AS reply (home, sequence, variant)
                WHERE reply.home = v.conversation_id AND reply.sequence = v.sequence_number
                  AND reply.variant = v.variant))
        """,
        **arguments,
    )


def _list_patterns(sources: Sources) -> list[str]:
    """What the list of quotes in a trace contains."""
    single = [
        {"conversation_id": key.conversation_id, "sequence": key.sequence_number}
        for key in sources.messages
    ]
    whole = [{"conversation_id": conversation_id} for conversation_id in sources.conversations]
    return [json.dumps([item]) for item in (*single, *whole)]


def _from_row(row: Row) -> InformedReply:
    return InformedReply(
        key=read_message_key(row),
        variant=row["variant"],
        text=row["content"],
        question=row["question"],
        trace=row["trace"] or {},
    )
