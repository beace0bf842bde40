"""What is kept of a user beside the chats, as streams of JSON texts: one for each row."""

from __future__ import annotations

from collections.abc import Iterator

from shared.db import PgConnection
from shared.models import UserId
from shared.store.rows import stream_rows


def stream_users(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """One row, or none for a user who has never said anything."""
    return stream_rows(
        connection,
        "exported_users",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT user_id, created_at, turn_count, time_zone, memory_instructions
            FROM users WHERE user_id = %(user_id)s) AS row
        """,
        user_id=user_id,
    )


def stream_facts(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """Every version of every fact."""
    return stream_rows(
        connection,
        "exported_facts",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT id, category, key, value, confidence, importance, is_active,
                   source_conversation_id, source_sequence, confirmed_at_turn, confirmed_at,
                   valid_from, valid_to, superseded_by, tidied, former_key, valid_until, created_at,
                   updated_at, project
            FROM structured_facts WHERE user_id = %(user_id)s
            ORDER BY category, key, valid_from, id) AS row
        """,
        user_id=user_id,
    )


def stream_forgotten(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    """The marks that deleted facts have left. They contain no text of the values."""
    return stream_rows(
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
    return stream_rows(
        connection,
        "exported_suggestions",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT category, key, value, fingerprint, confidence, importance,
                   source_conversation_id, source_sequence, said_at, valid_until, created_at,
                   project
            FROM fact_suggestions WHERE user_id = %(user_id)s
            ORDER BY category, key, id) AS row
        """,
        user_id=user_id,
    )


def stream_imports(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return stream_rows(
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
    return stream_rows(
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
    return stream_rows(
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
    return stream_rows(
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
    return stream_rows(
        connection,
        "exported_personas",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT persona_id, name, instructions, model, mode, created_at
            FROM personas WHERE user_id = %(user_id)s ORDER BY persona_id) AS row
        """,
        user_id=user_id,
    )


def stream_projects(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return stream_rows(
        connection,
        "exported_projects",
        """
        SELECT row_to_json(row)::text FROM (
            SELECT name, instructions, persona_id, model, own_memory, created_at
            FROM projects WHERE user_id = %(user_id)s ORDER BY name) AS row
        """,
        user_id=user_id,
    )


def stream_prompts(connection: PgConnection, user_id: UserId) -> Iterator[str]:
    return stream_rows(
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
    return stream_rows(
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
