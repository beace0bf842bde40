"""Tables `conversations` and `messages`, as an import writes them: many rows at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import psycopg2

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import UnreadableConversationError
from shared.models import ConversationId, Mode, UserId
from shared.store.rows import read_conversation_id

UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


@dataclass(frozen=True, kw_only=True)
class ImportedMessage:
    """A message of a file, as it is stored."""

    role: str
    content: str
    status: str
    model: str | None
    error: str | None
    finish_reason: str | None
    created_at: datetime
    #: The name under which it was said.
    name: str | None = None
    #: Of a reply: 1 is good, -1 is bad.
    rating: int | None = None
    #: Of a branch: the conversation that it branched from has the message, too.
    is_copy: bool = False
    #: The time of the message that asks to withhold it. None: it is not withheld.
    withheld_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ImportedVariant:
    """A variant of a reply that is not chosen, as it is stored."""

    sequence: int
    variant: int
    message: ImportedMessage


@dataclass(frozen=True, kw_only=True)
class ImportedConversation:
    """A conversation of a file, as it is stored."""

    #: Recognises the conversation when a file is imported again.
    source_key: str
    title: str | None
    agent: str
    mode: Mode
    created_at: datetime
    updated_at: datetime
    last_sequence: int
    is_pinned: bool
    is_archived: bool
    model: str | None
    persona_id: int | None
    project: str | None


@dataclass(frozen=True, kw_only=True)
class KnownConversation:
    """A conversation that a file tells of, and that is here already."""

    conversation_id: ConversationId
    last_sequence: int
    #: The last message that still is as an import brought it, with the number that an import gives
    #: it. Those after it are the user's own. None: it came by no import.
    imported_until: int | None
    #: It is a branch of a chat, not the first conversation of it.
    is_branch: bool


class KnownConversations:
    """Those that are here of many that a file tells of."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._by_key = {row["source_key"]: row for row in rows}
        self._by_id = {str(row["conversation_id"]): row for row in rows}

    def find(self, source_key: str, own_ids: Sequence[str]) -> KnownConversation | None:
        """The stored conversation that a conversation of a file is. None: it is new.

        It is stored if it was imported under this key, or if the file is an export of it
        (`own_ids`).
        """
        by_id = (self._by_id[own_id] for own_id in own_ids if own_id in self._by_id)
        row = self._by_key.get(source_key) or next(by_id, None)
        if row is None:
            return None
        return KnownConversation(
            conversation_id=read_conversation_id(row),
            last_sequence=row["last_sequence"],
            imported_until=row["imported_until"],
            is_branch=row["branched_from"] is not None,
        )


def list_known(
    connection: PgConnection, user_id: UserId, source_keys: Sequence[str], own_ids: Sequence[str]
) -> KnownConversations:
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id, source_key, last_sequence, imported_until, branched_from
        FROM conversations
        WHERE user_id = %(user_id)s AND source_key = ANY(%(source_keys)s::text[])
        UNION
        SELECT conversation_id, source_key, last_sequence, imported_until, branched_from
        FROM conversations
        WHERE user_id = %(user_id)s AND conversation_id = ANY(%(own_ids)s::uuid[])
        """,
        user_id=user_id,
        source_keys=list(source_keys),
        own_ids=[own_id for own_id in own_ids if UUID.fullmatch(own_id)],
    )
    return KnownConversations(rows)


def find_known(
    connection: PgConnection, user_id: UserId, source_key: str, own_ids: Sequence[str]
) -> KnownConversation | None:
    """One of them."""
    return list_known(connection, user_id, [source_key], own_ids).find(source_key, own_ids)


def add_conversation(
    connection: PgConnection, user_id: UserId, import_id: str, new: ImportedConversation
) -> ConversationId | None:
    """Add a conversation after waiting for other imports of it. None: one of them has added it."""
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations
            (user_id, import_id, source_key, title, agent, mode, last_sequence,
             imported_until, created_at, updated_at, is_pinned, is_archived, model,
             persona_id, project)
        VALUES (%(user_id)s, %(import_id)s, %(source_key)s, %(title)s, %(agent)s, %(mode)s,
                %(last_sequence)s, %(last_sequence)s, %(created_at)s, least(%(updated_at)s, now()),
                %(is_pinned)s, %(is_archived)s, %(model)s, %(persona_id)s, %(project)s)
        ON CONFLICT (user_id, source_key) WHERE source_key IS NOT NULL DO NOTHING
        RETURNING conversation_id
        """,
        user_id=user_id,
        import_id=import_id,
        source_key=new.source_key,
        title=new.title,
        agent=new.agent,
        mode=new.mode,
        last_sequence=new.last_sequence,
        created_at=new.created_at,
        updated_at=new.updated_at,
        is_pinned=new.is_pinned,
        is_archived=new.is_archived,
        model=new.model,
        persona_id=new.persona_id,
        project=new.project,
    )
    return read_conversation_id(row) if row else None


def extend_conversation(
    connection: PgConnection,
    conversation_id: ConversationId,
    import_id: str,
    last_sequence: int,
    updated_at: datetime,
) -> None:
    """Note that a later file has more messages of the conversation, which the caller has locked."""
    execute(
        connection,
        """
        UPDATE conversations
        SET import_id = %(import_id)s, last_sequence = %(last_sequence)s,
            imported_until = %(last_sequence)s,
            updated_at = greatest(updated_at, least(%(updated_at)s, now()))
        WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
        import_id=import_id,
        last_sequence=last_sequence,
        updated_at=updated_at,
    )


def add_messages(
    connection: PgConnection,
    conversation_id: ConversationId,
    first_sequence: int,
    turns_before: int,
    messages: Sequence[ImportedMessage],
) -> None:
    """Add messages with the numbers from `first_sequence` on.

    `turns_before` is how many messages the user had written before this conversation. Raises
    `UnreadableConversationError` for values that Postgres cannot store.
    """
    rows = [
        {
            "role": message.role, "content": message.content, "status": message.status,
            "model": message.model, "error": message.error, "finish_reason": message.finish_reason,
            "created_at": message.created_at.isoformat(), "name": message.name,
            "rating": message.rating, "is_copy": message.is_copy,
            "withheld_at": message.withheld_at.isoformat() if message.withheld_at else None,
        }
        for message in messages
    ]  # fmt: skip
    try:
        execute(
            connection,
            """
            INSERT INTO messages (conversation_id, sequence_number, role, content, status, model,
                                  error, finish_reason, created_at, name, rating, user_turn,
                                  is_copy, withheld_at)
            SELECT %(conversation_id)s, %(first)s + place - 1, role, content, status, model,
                   error, finish_reason, created_at, name, rating,
                   CASE role WHEN 'user' THEN %(turns)s + (%(first)s + place + 1) / 2 END,
                   is_copy, withheld_at
            FROM ROWS FROM (jsonb_to_recordset(%(rows)s::jsonb) AS (
                role text, content text, status text, model text, error text,
                finish_reason text, created_at timestamptz, name text,
                rating smallint, is_copy boolean, withheld_at timestamptz
            )) WITH ORDINALITY AS given (role, content, status, model, error, finish_reason,
                                         created_at, name, rating, is_copy, withheld_at, place)
            """,
            conversation_id=conversation_id,
            first=first_sequence,
            turns=turns_before,
            rows=json.dumps(rows, ensure_ascii=False),
        )
    except psycopg2.DataError as exc:
        raise UnreadableConversationError("It holds values that cannot be stored.") from exc


def add_variants(
    connection: PgConnection, conversation_id: ConversationId, variants: Sequence[ImportedVariant]
) -> None:
    """Add variants, and number the chosen ones behind them.

    Raises `UnreadableConversationError` for values that Postgres cannot store.
    """
    rows = [
        {
            "sequence_number": variant.sequence, "variant": variant.variant,
            "content": variant.message.content, "status": variant.message.status,
            "model": variant.message.model, "error": variant.message.error,
            "finish_reason": variant.message.finish_reason, "rating": variant.message.rating,
            "created_at": variant.message.created_at.isoformat(),
        }
        for variant in variants
    ]  # fmt: skip
    try:
        execute(
            connection,
            """
            WITH added AS (
                INSERT INTO reply_variants
                    (user_id, conversation_id, sequence_number, variant, content, status, model,
                     error, finish_reason, rating, created_at)
                SELECT c.user_id, c.conversation_id, given.sequence_number, given.variant,
                       given.content, given.status, given.model, given.error,
                       given.finish_reason, given.rating, given.created_at
                FROM conversations c, jsonb_to_recordset(%(rows)s::jsonb) AS given (
                    sequence_number integer, variant integer, content text, status text,
                    model text, error text, finish_reason text, rating smallint,
                    created_at timestamptz)
                WHERE c.conversation_id = %(conversation_id)s
                RETURNING sequence_number, variant)
            UPDATE messages m SET variant = newest.variant + 1
            FROM (SELECT sequence_number, max(variant) AS variant
                  FROM added GROUP BY sequence_number) AS newest
            WHERE m.conversation_id = %(conversation_id)s
              AND m.sequence_number = newest.sequence_number
            """,
            conversation_id=conversation_id,
            rows=json.dumps(rows, ensure_ascii=False),
        )
    except psycopg2.DataError as exc:
        raise UnreadableConversationError("It holds values that cannot be stored.") from exc
