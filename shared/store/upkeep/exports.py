"""All data of a user, as a stream of JSON texts: one for each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from shared.db import PgConnection, execute, fetch_tuples
from shared.models import UserId

# Rows in memory at a time. A message may have a hundred thousand characters.
FETCH_ROWS = 50


def begin_snapshot(connection: PgConnection) -> None:
    """Let the rest of the transaction read one snapshot.

    Postgres ends the transaction when its reader stalls for a minute.
    """
    execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    execute(connection, "SET LOCAL idle_in_transaction_session_timeout = '60s'")


def stream_users(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """One row, or none for a user who has never said anything."""
    return _stream(
        connection,
        "exported_users",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT user_id, created_at, turn_count, time_zone, memory_instructions
            FROM users WHERE user_id = %(user_id)s) AS row
        """,
        user_id=user_id,
    )


def stream_chats(connection: PgConnection, user_id: UserId) -> Iterator[tuple[str, str]]:
    """(conversation_id, JSON) of the first conversation of each chat, oldest first."""
    texts = _stream(
        connection,
        "exported_chats",
        """
        SELECT conversation_id::text || row_to_json(row)::text FROM (
            SELECT conversation_id, source_key, title, agent, mode, created_at, updated_at,
                   is_pinned, is_archived, model, persona_id, folder
            FROM conversations WHERE user_id = %(user_id)s AND branched_from IS NULL
            ORDER BY created_at, conversation_id) AS row
        """,
        user_id=user_id,
    )
    return map(_with_id, texts)


def stream_branches(connection: PgConnection, chat_id: str) -> Iterator[tuple[str, str]]:
    """(conversation_id, JSON) of a chat's branches, behind what they branched from.

    `branched_from_key` is the `source_key` of the latter.
    """
    texts = _stream(
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
    return _stream(
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
    return _stream(
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
    return _stream(
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
    return _stream(
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
    return _stream(
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
    return _stream(
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


def stream_facts(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Every version of every fact."""
    return _stream(
        connection,
        "exported_facts",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT id, category, key, value, confidence, importance, is_active,
                   source_conversation_id, source_sequence, confirmed_at_turn, confirmed_at,
                   valid_from, valid_to, superseded_by, tidied, former_key, valid_until, created_at,
                   updated_at
            FROM structured_facts WHERE user_id = %(user_id)s
            ORDER BY category, key, valid_from, id) AS row
        """,
        user_id=user_id,
    )


def stream_forgotten(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """The marks that deleted facts have left. They contain no text of the values."""
    return _stream(
        connection,
        "exported_forgotten",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT category, key, fingerprint, said_until, forgotten_at
            FROM forgotten_facts WHERE user_id = %(user_id)s
            ORDER BY category, key, fingerprint) AS row
        """,
        user_id=user_id,
    )


def stream_suggestions(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Open suggestions, and the marks of dismissed ones, which contain no text."""
    return _stream(
        connection,
        "exported_suggestions",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT category, key, value, fingerprint, confidence, importance,
                   source_conversation_id, source_sequence, said_at, valid_until, created_at
            FROM fact_suggestions WHERE user_id = %(user_id)s
            ORDER BY category, key, id) AS row
        """,
        user_id=user_id,
    )


def stream_imports(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return _stream(
        connection,
        "exported_imports",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT import_id, status, imported, skipped, failed, messages, left_out, notes, error,
                   created_at, finished_at
            FROM imports WHERE user_id = %(user_id)s
            ORDER BY created_at, import_id) AS row
        """,
        user_id=user_id,
    )


def stream_tokens(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Without their hashes."""
    return _stream(
        connection,
        "exported_tokens",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT token_id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at
            FROM api_tokens WHERE user_id = %(user_id)s ORDER BY token_id) AS row
        """,
        user_id=user_id,
    )


def stream_shares(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Links to chats, without the hashes of their tokens."""
    return _stream(
        connection,
        "exported_shares",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT share_id, conversation_id, until_sequence, created_at, expires_at
            FROM shares WHERE user_id = %(user_id)s ORDER BY share_id) AS row
        """,
        user_id=user_id,
    )


def stream_webhooks(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Without their secrets."""
    return _stream(
        connection,
        "exported_webhooks",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT webhook_id, url, event_types, with_text, created_at, disabled_at
            FROM webhooks WHERE user_id = %(user_id)s ORDER BY webhook_id) AS row
        """,
        user_id=user_id,
    )


def stream_personas(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return _stream(
        connection,
        "exported_personas",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT persona_id, name, instructions, model, mode, created_at
            FROM personas WHERE user_id = %(user_id)s ORDER BY persona_id) AS row
        """,
        user_id=user_id,
    )


def stream_prompts(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return _stream(
        connection,
        "exported_prompts",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT prompt_id, name, text, created_at
            FROM prompts WHERE user_id = %(user_id)s ORDER BY prompt_id) AS row
        """,
        user_id=user_id,
    )


def stream_audit_events(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """What was done to the user's data, oldest first."""
    return _stream(
        connection,
        "exported_audit_events",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT event_id, at, actor_id, action, object_kind, object_id, token_id, request_id,
                   address
            FROM audit_events WHERE user_id = %(user_id)s ORDER BY event_id) AS row
        """,
        user_id=user_id,
    )


def _stream(
    connection: PgConnection,
    name: LiteralString,
    sql: LiteralString,
    *,
    rows: int = FETCH_ROWS,
    **args: object,
) -> Iterator[str]:
    """The first column of each row, through a cursor that stays on the server."""
    execute(connection, "DECLARE " + name + " NO SCROLL CURSOR FOR " + sql, **args)
    while fetched := fetch_tuples(connection, "FETCH %(count)s FROM " + name, count=rows):
        yield from (text for (text,) in fetched)
    execute(connection, "CLOSE " + name)


def _with_id(text: str) -> tuple[str, str]:
    conversation_id, brace, rest = text.partition("{")
    return conversation_id, brace + rest
