"""Table `tombstones`: marks of deleted messages and conversations, for Redis. They contain no text.

In Postgres a late writer finds no row, or another fencing token. Redis has neither, so it is given
the tombstones, and again after it was emptied. Until then a late writer may restore deleted text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import ConversationId
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class Tombstone:
    """One message or one conversation that was deleted."""

    conversation_id: ConversationId
    #: None: the whole conversation.
    sequence: int | None
    #: Attempts with a larger token began after the deletion: Redis may keep what they write.
    fencing_token: int
    #: Sequence numbers of the replies whose text Redis may contain.
    replies: tuple[int, ...]


def add_tombstone(
    connection: PgConnection,
    conversation_id: ConversationId,
    sequence: int | None,
    replies: Sequence[int],
) -> Tombstone:
    """Add a tombstone. Returns nothing, because only upkeep may read the table."""
    row = fetch_row(
        connection,
        """
        WITH new AS MATERIALIZED (SELECT nextval('fencing_tokens') AS fencing_token),
        added AS (
            INSERT INTO tombstones (conversation_id, sequence_number, replies, fencing_token)
            SELECT %(conversation_id)s, %(sequence)s, %(replies)s::integer[], fencing_token
            FROM new)
        SELECT fencing_token FROM new
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        replies=list(replies),
    )
    assert row is not None  # noqa: S101 - always one row
    return Tombstone(
        conversation_id=conversation_id,
        sequence=sequence,
        fencing_token=row["fencing_token"],
        replies=tuple(replies),
    )


def take_undelivered(connection: PgConnection, epoch: str, limit: int) -> list[Tombstone]:
    """Tombstones that Redis was not given in this epoch. They are marked as given.

    The caller gives them to Redis before it commits. An epoch ends when Redis is emptied.
    """
    rows = fetch_rows(
        connection,
        """
        UPDATE tombstones SET told_epoch = %(epoch)s
        WHERE tombstone_id IN (
            SELECT tombstone_id FROM tombstones WHERE told_epoch IS DISTINCT FROM %(epoch)s
            ORDER BY tombstone_id LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        RETURNING conversation_id, sequence_number, fencing_token, replies
        """,
        epoch=epoch,
        limit=limit,
    )
    return [_from_row(row) for row in rows]


def is_rewrite_due(connection: PgConnection, pause_s: float) -> bool:
    """Whether Redis should rewrite its append-only file.

    It should if text was deleted since the last rewrite, and that rewrite was more than `pause_s`
    ago.
    """
    row = fetch_row(
        connection,
        """
        SELECT EXISTS (SELECT FROM tombstones
                       WHERE rewritten_at IS NULL AND told_epoch IS NOT NULL)
           AND NOT EXISTS (SELECT FROM tombstones
                           WHERE rewritten_at > now() - make_interval(secs => %(pause_s)s)) AS due
        """,
        pause_s=pause_s,
    )
    return bool(row and row["due"])


def note_rewrite(connection: PgConnection) -> None:
    """Note that Redis rewrites its file, without the text that its tombstones mark as deleted."""
    execute(
        connection,
        """
        UPDATE tombstones SET rewritten_at = now()
        WHERE rewritten_at IS NULL AND told_epoch IS NOT NULL
        """,
    )


def delete_tombstones(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete tombstones so old that no writer and no cache can still have the deleted text."""
    return execute(
        connection,
        """
        DELETE FROM tombstones WHERE tombstone_id IN (
            SELECT tombstone_id FROM tombstones
            WHERE erased_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY erased_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _from_row(row: Row) -> Tombstone:
    return Tombstone(
        conversation_id=read_conversation_id(row),
        sequence=row["sequence_number"],
        fencing_token=row["fencing_token"],
        replies=tuple(row["replies"]),
    )
