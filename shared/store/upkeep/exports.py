"""A user's chats and their files, as streams of JSON texts: one for each row."""

from __future__ import annotations

from collections.abc import Iterator

from shared.db import PgConnection, execute
from shared.models import UserId
from shared.store.rows import stream_rows


def begin_snapshot(connection: PgConnection) -> None:
    """Let the rest of the transaction read one snapshot.

    Postgres ends the transaction when its reader stalls for a minute.
    """
    execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    execute(connection, "SET LOCAL idle_in_transaction_session_timeout = '60s'")


def stream_chats(connection: PgConnection, user_id: UserId) -> Iterator[tuple[str, str]]:
    """(conversation_id, JSON) of the first conversation of each chat, oldest first."""
    texts = stream_rows(
        connection,
        "exported_chats",
        """
        SELECT conversation_id::text || row_to_json(row)::text FROM (
            SELECT conversation_id, source_key, title, agent, mode, created_at, updated_at,
                   is_pinned, is_archived, model, persona_id, project
            FROM conversations WHERE user_id = %(user_id)s AND branched_from IS NULL
            ORDER BY created_at, conversation_id) AS row
        """,
        user_id=user_id,
    )
    return map(_with_id, texts)


def stream_branches(connection: PgConnection, chat_id: str) -> Iterator[tuple[str, str]]:
    """(conversation_id, JSON) of a chat's branches, behind what they branched from.

    A branch comes after the conversation that it branched from, whose `source_key` is its
    `branched_from_key`.
    """
    texts = stream_rows(
        connection,
        "exported_branches",
        """
        WITH RECURSIVE tree AS (
            SELECT conversation_id, 0 AS depth, NULL::text AS branched_from_key
            FROM conversations WHERE conversation_id = %(chat_id)s
            UNION ALL
            SELECT branch.conversation_id, depth + 1, parent.source_key
            FROM tree JOIN conversations parent USING (conversation_id)
            JOIN conversations branch ON branch.branched_from = parent.conversation_id)
        SELECT conversation_id::text || row_to_json(row)::text FROM (
            SELECT conversation_id, source_key, title, agent, mode, created_at, updated_at,
                   branched_from, branched_from_key, branched_at
            FROM tree JOIN conversations USING (conversation_id)
            WHERE depth > 0
            ORDER BY depth, created_at, conversation_id) AS row
        """,
        chat_id=chat_id,
    )
    return map(_with_id, texts)


def stream_messages(connection: PgConnection, conversation_id: str) -> Iterator[str]:
    """`sent`: a message of an OpenAI client as it was sent or answered, unless it is only text.

    `variants`: those of a reply that are not chosen; null if there are none. `attachments`: the
    files of a user message, whose contents `stream_attachments` gives; null if there are none.
    """
    return stream_rows(
        connection,
        "exported_messages",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT sequence_number, role, name, content, status, finish_reason, model, error,
                   created_at, trace, rating, payload AS sent, variant, withheld_at,
                   (SELECT json_agg(json_build_object(
                        'variant', v.variant, 'content', v.content, 'status', v.status,
                        'finish_reason', v.finish_reason, 'model', v.model, 'error', v.error,
                        'created_at', v.created_at, 'trace', v.trace, 'rating', v.rating)
                        ORDER BY v.variant)
                    FROM reply_variants v
                    WHERE v.conversation_id = messages.conversation_id
                      AND v.sequence_number = messages.sequence_number) AS variants,
                   (SELECT json_agg(json_build_object('attachment_id', a.attachment_id,
                                                      'name', a.name) ORDER BY a.position)
                    FROM attachments a
                    WHERE a.conversation_id = messages.conversation_id
                      AND a.sequence_number = messages.sequence_number) AS attachments
            FROM messages LEFT JOIN client_turns USING (conversation_id, sequence_number)
            WHERE conversation_id = %(conversation_id)s AND deleted_at IS NULL
            ORDER BY sequence_number) AS row
        """,
        conversation_id=conversation_id,
    )


def stream_said(connection: PgConnection, conversation_id: str) -> Iterator[str]:
    """The messages as they read, oldest first: not what a reply was given, nor its variants.

    `attachments` names the files: null if there are none.
    """
    return stream_rows(
        connection,
        "exported_said",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT sequence_number, role, name, content, status, finish_reason, model, created_at,
                   (SELECT json_agg(json_build_object('name', a.name, 'kind', a.kind,
                                                      'bytes', a.byte_count) ORDER BY a.position)
                    FROM attachments a
                    WHERE a.conversation_id = messages.conversation_id
                      AND a.sequence_number = messages.sequence_number) AS attachments
            FROM messages
            WHERE conversation_id = %(conversation_id)s AND deleted_at IS NULL AND content <> ''
              AND status <> 'streaming'
            ORDER BY sequence_number) AS row
        """,
        conversation_id=conversation_id,
    )


def stream_summaries(connection: PgConnection, conversation_id: str) -> Iterator[str]:
    """The completed summaries."""
    return stream_rows(
        connection,
        "exported_summaries",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT memory_id, base_memory_id, start_sequence, end_sequence, memory_text, points,
                   model, prompt_version, created_at
            FROM memory WHERE conversation_id = %(conversation_id)s AND status = 'completed'
            ORDER BY end_sequence) AS row
        """,
        conversation_id=conversation_id,
    )


def stream_episodes(connection: PgConnection, conversation_id: str) -> Iterator[str]:
    """Without their vectors, which can be made again."""
    return stream_rows(
        connection,
        "exported_episodes",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT id, turn_range, turn_start, turn_end, summary, key_concepts, embedding_model,
                   started_at, ended_at, model, prompt_version, created_at
            FROM episodic_memory
            WHERE conversation_id = %(conversation_id)s AND status = 'completed'
            ORDER BY turn_end) AS row
        """,
        conversation_id=conversation_id,
    )


def stream_usage(connection: PgConnection, conversation_id: str) -> Iterator[str]:
    return stream_rows(
        connection,
        "exported_usage",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT purpose, model, calls, tokens_in, tokens_out FROM token_usage
            WHERE conversation_id = %(conversation_id)s ORDER BY purpose, model) AS row
        """,
        conversation_id=conversation_id,
    )


def stream_attachments(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Files with their contents: one at a time in memory, in pieces of a megabyte of Base64."""
    return stream_rows(
        connection,
        "exported_attachments",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT attachment_id, conversation_id, sequence_number, name, kind, media_type,
                   width, height, created_at,
                   (SELECT json_agg(translate(encode(
                        substr(content, 1 + piece * 750000, 750000), 'base64'), E'\\n', '')
                        ORDER BY piece)
                    FROM generate_series(0, (octet_length(content) - 1) / 750000) AS piece)
                   AS content
            FROM attachments JOIN attachment_contents USING (attachment_id)
            WHERE attachments.user_id = %(user_id)s
            ORDER BY created_at, attachment_id) AS row
        """,
        rows=1,
        user_id=user_id,
    )


def _with_id(text: str) -> tuple[str, str]:
    conversation_id, brace, rest = text.partition("{")
    return conversation_id, brace + rest
