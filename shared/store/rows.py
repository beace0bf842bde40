"""What several files of the store do with rows: read one, stream many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import LiteralString

from shared.db import PgConnection, Row, execute, fetch_tuples
from shared.models import Conversation, ConversationId, Episode, MessageKey, Span, UserId
from shared.settings import STAND_IN_MODEL

# Rows in memory at a time. A message may have a hundred thousand characters.
FETCH_ROWS = 50


def read_conversation_id(row: Row) -> ConversationId:
    return ConversationId(str(row["conversation_id"]))


def read_conversation(row: Row) -> Conversation:
    return Conversation(
        conversation_id=read_conversation_id(row),
        user_id=UserId(row["user_id"]),
        title=row["title"],
        agent=row["agent"],
        mode=row["mode"],
        last_sequence=row["last_sequence"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        chat_id=ConversationId(str(row["chat_id"])),
        branched_from=ConversationId(str(row["branched_from"])) if row["branched_from"] else None,
        branched_at=row["branched_at"],
        is_pinned=row["is_pinned"],
        is_archived=row["is_archived"],
        model=row["model"],
        persona_id=row["persona_id"],
        project=row["project"],
    )


def read_message_key(row: Row) -> MessageKey:
    return MessageKey(read_conversation_id(row), row["sequence_number"])


def read_episode(row: Row) -> Episode:
    created_at: datetime = row["created_at"]
    return Episode(
        episode_id=row["id"],
        conversation_id=read_conversation_id(row),
        span=Span(start=row["turn_start"], end=row["turn_end"]),
        summary=row["summary"],
        key_concepts=tuple(row["key_concepts"]),
        started_at=row["started_at"] or created_at,
        ended_at=row["ended_at"] or created_at,
        embedding_model=row["embedding_model"],
        created_at=created_at,
        is_fallback=is_fallback(row),
    )


def is_fallback(row: Row) -> bool:
    """Whether the stand-in wrote it because the model failed: no prompt was used.

    False for a row that was read without its column `model`.
    """
    return row.get("model") == STAND_IN_MODEL and row["prompt_version"] is None


def stream_rows(
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
