"""Table `shares`: links by which anybody may read a chat. Of a token only the hash is stored."""

from __future__ import annotations

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import NewShare, OpenedShare, Share, SharedMessage, UserId
from shared.store.rows import read_conversation_id


def find_share(connection: PgConnection, token_hash: bytes) -> OpenedShare | None:
    """The link with this token. None: it is unknown or has expired.

    No other read of links works without knowing the user.
    """
    row = fetch_row(connection, "SELECT * FROM find_share(%(token_hash)s)", token_hash=token_hash)
    if row is None:
        return None
    return OpenedShare(
        user_id=UserId(row["user_id"]),
        conversation_id=read_conversation_id(row),
        until_sequence=row["until_sequence"],
        created_at=row["created_at"],
    )


def list_shown(
    connection: PgConnection, share: OpenedShare, *, after: int, limit: int
) -> list[SharedMessage]:
    """The messages after number `after` that a link shows, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT sequence_number, role, content,
               coalesce((SELECT jsonb_agg(jsonb_build_object('name', a.name, 'kind', a.kind,
                                                             'bytes', a.byte_count)
                                          ORDER BY a.position)
                         FROM attachments a
                         WHERE a.conversation_id = messages.conversation_id
                           AND a.sequence_number = messages.sequence_number), '[]') AS files
        FROM messages
        WHERE conversation_id = %(conversation_id)s AND user_id = %(user_id)s
          AND sequence_number > %(after)s AND sequence_number <= %(until)s
          AND deleted_at IS NULL AND content <> '' AND status <> 'streaming'
        ORDER BY sequence_number LIMIT %(limit)s
        """,
        conversation_id=share.conversation_id,
        user_id=share.user_id,
        after=after,
        until=share.until_sequence,
        limit=limit,
    )
    return [SharedMessage(**row) for row in rows]


def add_share(connection: PgConnection, new: NewShare) -> Share:
    """Add a link. The caller has made sure that the conversation is the user's."""
    row = fetch_row(
        connection,
        """
        WITH added AS (
            INSERT INTO shares (user_id, conversation_id, token_hash, until_sequence, expires_at)
            VALUES (%(user_id)s, %(conversation_id)s, %(token_hash)s, %(until_sequence)s,
                    %(expires_at)s)
            RETURNING *
        )
        SELECT added.*, c.title, coalesce(left(m.content, 120), '') AS preview
        FROM added JOIN conversations c USING (conversation_id)
        LEFT JOIN messages m
          ON m.conversation_id = added.conversation_id AND m.sequence_number = 0
        """,
        user_id=new.user_id,
        conversation_id=new.conversation_id,
        token_hash=new.token_hash,
        until_sequence=new.until_sequence,
        expires_at=new.expires_at,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return _from_row(row)


def list_shares(connection: PgConnection, user_id: UserId) -> list[Share]:
    """Links that have not expired, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT s.*, c.title, coalesce(left(m.content, 120), '') AS preview
        FROM shares s JOIN conversations c USING (conversation_id)
        LEFT JOIN messages m
          ON m.conversation_id = s.conversation_id AND m.sequence_number = 0
        WHERE s.user_id = %(user_id)s AND (s.expires_at IS NULL OR s.expires_at > now())
        ORDER BY s.share_id DESC
        """,
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def count_shares(connection: PgConnection, user_id: UserId) -> int:
    """Count links, also expired ones that retention has not deleted yet."""
    row = fetch_row(
        connection,
        "SELECT count(*) AS count FROM shares WHERE user_id = %(user_id)s",
        user_id=user_id,
    )
    return int(row["count"]) if row else 0


def delete_share(connection: PgConnection, user_id: UserId, share_id: int) -> None:
    """Delete a link. Raises `NotFoundError`, also for a link of another user."""
    touched = execute(
        connection,
        "DELETE FROM shares WHERE user_id = %(user_id)s AND share_id = %(share_id)s",
        user_id=user_id,
        share_id=share_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such link.")


def delete_expired(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete links that expired so long ago. Returns how many."""
    return execute(
        connection,
        """
        DELETE FROM shares WHERE share_id IN (
            SELECT share_id FROM shares
            WHERE expires_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY share_id LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _from_row(row: Row) -> Share:
    return Share(
        share_id=row["share_id"],
        conversation_id=read_conversation_id(row),
        title=row["title"],
        preview=row["preview"],
        until_sequence=row["until_sequence"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )
