"""Tables `attachments` and `attachment_contents`: the files of user messages."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import FileGoneError, NotFoundError
from shared.models import ConversationId, Span, UserId
from shared.models.attachments import AttachedFile, Attachment, NewFile
from shared.store.rows import read_conversation_id


def add_attachment(connection: PgConnection, user_id: UserId, new: NewFile) -> Attachment:
    """Add a file that no message has yet. The caller has made sure that the user exists."""
    row = fetch_row(
        connection,
        """
        WITH added AS (
            INSERT INTO attachments
                (user_id, name, kind, media_type, byte_count, text_byte_count, width, height)
            VALUES (%(user_id)s, %(name)s, %(kind)s, %(media_type)s, octet_length(%(content)s),
                    coalesce(octet_length(%(text)s::text), 0), %(width)s, %(height)s)
            RETURNING *),
        filled AS (
            INSERT INTO attachment_contents (attachment_id, user_id, content, text)
            SELECT attachment_id, user_id, %(content)s, %(text)s FROM added)
        SELECT * FROM added
        """,
        user_id=user_id,
        name=new.name,
        kind=new.kind,
        media_type=new.media_type,
        content=new.content,
        text=new.text,
        width=new.width,
        height=new.height,
    )
    assert row is not None  # noqa: S101 - an insertion returns its row
    return from_row(row)


def count_unsent(connection: PgConnection, user_id: UserId) -> int:
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count FROM attachments
        WHERE user_id = %(user_id)s AND conversation_id IS NULL
        """,
        user_id=user_id,
    )
    return int(row["count"]) if row else 0


def list_unsent(connection: PgConnection, user_id: UserId) -> list[Attachment]:
    """The user's files that are not part of a message. There are never many."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM attachments
        WHERE user_id = %(user_id)s AND conversation_id IS NULL
        ORDER BY created_at, attachment_id
        """,
        user_id=user_id,
    )
    return [from_row(row) for row in rows]


def get_attachment(connection: PgConnection, user_id: UserId, attachment_id: str) -> Attachment:
    """The user's file. Raises `NotFoundError`."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM attachments
        WHERE attachment_id = %(attachment_id)s AND user_id = %(user_id)s
        """,
        attachment_id=attachment_id,
        user_id=user_id,
    )
    if row is None:
        raise NotFoundError("There is no such file.")
    return from_row(row)


def read_content(connection: PgConnection, attachment_id: str) -> bytes:
    """The bytes of a file. Raises `NotFoundError`."""
    row = fetch_row(
        connection,
        "SELECT content FROM attachment_contents WHERE attachment_id = %(attachment_id)s",
        attachment_id=attachment_id,
    )
    if row is None:
        raise NotFoundError("There is no such file.")
    return bytes(row["content"])


def delete_unsent(connection: PgConnection, user_id: UserId, attachment_id: str) -> bool:
    """Delete a file that no message has. False: there is none."""
    deleted = execute(
        connection,
        """
        DELETE FROM attachments
        WHERE attachment_id = %(attachment_id)s AND user_id = %(user_id)s
          AND conversation_id IS NULL
        """,
        attachment_id=attachment_id,
        user_id=user_id,
    )
    return deleted == 1


def attach(
    connection: PgConnection,
    user_id: UserId,
    attachment_ids: Sequence[str],
    conversation_id: ConversationId,
    sequence: int,
) -> None:
    """Give the user's files to a message, in this order.

    Raises `FileGoneError` unless all of them are the user's and no message has them yet.
    """
    attached = execute(
        connection,
        """
        UPDATE attachments
        SET conversation_id = %(conversation_id)s, sequence_number = %(sequence)s,
            position = chosen.position
        FROM unnest(%(ids)s::uuid[]) WITH ORDINALITY AS chosen (id, position)
        WHERE attachment_id = chosen.id AND user_id = %(user_id)s
          AND attachments.conversation_id IS NULL
        """,
        ids=list(attachment_ids),
        user_id=user_id,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    if attached != len(attachment_ids):
        raise FileGoneError


def list_ids(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> list[str]:
    """The files of one message, in their order."""
    rows = fetch_rows(
        connection,
        """
        SELECT attachment_id FROM attachments
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
        ORDER BY position
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    return [str(row["attachment_id"]) for row in rows]


def list_attachments(
    connection: PgConnection, conversation_id: ConversationId, span: Span
) -> list[Attachment]:
    """The files of a span of messages, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM attachments
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number BETWEEN %(start)s AND %(end)s
        ORDER BY sequence_number, position
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
    )
    return [from_row(row) for row in rows]


def list_of_project(
    connection: PgConnection, user_id: UserId, project: str, text: str
) -> list[tuple[ConversationId, Attachment]]:
    """The files of the project's notes that say `text`, each with its conversation."""
    rows = fetch_rows(
        connection,
        """
        SELECT a.* FROM conversations c JOIN messages USING (conversation_id)
        JOIN attachments a USING (conversation_id, sequence_number)
        WHERE c.user_id = %(user_id)s AND project = %(project)s AND is_notes AND content = %(text)s
        """,
        user_id=user_id,
        project=project,
        text=text,
    )
    return [(read_conversation_id(row), from_row(row)) for row in rows]


def read_files(
    connection: PgConnection,
    conversation_id: ConversationId,
    span: Span,
    *,
    with_images: bool,
    limit: int,
) -> list[AttachedFile]:
    """The newest `limit` files of a span of messages with their contents, newest message first."""
    rows = fetch_rows(
        connection,
        """
        SELECT attachments.*, text,
               CASE WHEN kind = 'image' AND %(with_images)s THEN content END AS picture
        FROM attachments JOIN attachment_contents USING (attachment_id)
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number BETWEEN %(start)s AND %(end)s
        ORDER BY sequence_number DESC, position
        LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        with_images=with_images,
        limit=limit,
    )
    return [
        AttachedFile(
            attachment=from_row(row),
            text=row["text"] or "",
            content=bytes(row["picture"] or b""),
        )
        for row in rows
    ]


def copy_attachments(
    connection: PgConnection, source: ConversationId, target: ConversationId, until: int
) -> None:
    """Copy the files of all messages up to number `until` into a branch that has these messages."""
    execute(
        connection,
        """
        WITH copied AS (
            SELECT gen_random_uuid() AS new_id, attachments.* FROM attachments
            WHERE conversation_id = %(source)s AND sequence_number <= %(until)s),
        added AS (
            INSERT INTO attachments
                (attachment_id, user_id, conversation_id, sequence_number, position, name, kind,
                 media_type, byte_count, text_byte_count, width, height, created_at)
            SELECT new_id, user_id, %(target)s, sequence_number, position, name, kind,
                   media_type, byte_count, text_byte_count, width, height, created_at FROM copied)
        INSERT INTO attachment_contents (attachment_id, user_id, content, text)
        SELECT new_id, copied.user_id, content, text
        FROM copied JOIN attachment_contents USING (attachment_id)
        """,
        source=source,
        target=target,
        until=until,
    )


def delete_of_messages(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> None:
    """Delete the files of messages that are deleted."""
    execute(
        connection,
        """
        DELETE FROM attachments
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )


def delete_old_unsent(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete files that were uploaded and never sent. Returns how many."""
    return execute(
        connection,
        """
        DELETE FROM attachments WHERE attachment_id IN (
            SELECT attachment_id FROM attachments
            WHERE conversation_id IS NULL
              AND created_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY created_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def from_row(row: Row) -> Attachment:
    return Attachment(
        attachment_id=str(row["attachment_id"]),
        name=row["name"],
        kind=row["kind"],
        media_type=row["media_type"],
        byte_count=row["byte_count"],
        width=row["width"],
        height=row["height"],
        sequence_number=row["sequence_number"],
        created_at=row["created_at"],
    )
