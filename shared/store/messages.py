"""Table `messages`."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

from shared.db import PgConnection, Row, fetch_row, fetch_rows, fetch_tuples, prepared
from shared.errors import NotFoundError, RoundInProgressError
from shared.models import ConversationId, Message, Span, Turn, UserId
from shared.store.rows import read_conversation_id

LAST_NUMBER = 2**31 - 1  # the largest `integer` of Postgres


@dataclass(frozen=True, kw_only=True)
class NewRound:
    conversation_id: ConversationId
    #: Of the user message.
    sequence: int
    content: str
    idempotency_key: str | None
    #: How long the reply may be written without a renewal.
    lease_s: float


def add_round(connection: PgConnection, new: NewRound) -> tuple[Message, int]:
    """Insert a user message, and behind it the `streaming` placeholder of the reply.

    Returns the message and the placeholder's fencing token. The caller has counted the turn and
    locked the conversation. Raises `RoundInProgressError` when one of its rounds is open.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        WITH own AS (
            SELECT conversation_id, turn_count,
                   CASE WHEN %(key)s::text IS NOT NULL THEN user_id END AS keyed_user
            FROM conversations JOIN users USING (user_id)
            WHERE conversation_id = %(conversation_id)s AND NOT EXISTS (
                SELECT FROM messages
                WHERE conversation_id = %(conversation_id)s AND status = 'streaming'))
        INSERT INTO messages
            (conversation_id, sequence_number, role, content, status, user_turn,
             idempotency_user, idempotency_key, fencing_token, lease_until)
        SELECT conversation_id, %(sequence)s, 'user', %(content)s, 'complete', turn_count,
               keyed_user, %(key)s, NULL, NULL
        FROM own
        UNION ALL
        SELECT conversation_id, %(sequence)s + 1, 'assistant', '', 'streaming', NULL, NULL, NULL,
               nextval('fencing_tokens'), now() + make_interval(secs => %(lease_s)s)
        FROM own
        ON CONFLICT (conversation_id, sequence_number) DO NOTHING
        RETURNING conversation_id, sequence_number, role, content, status, model, created_at, error,
                  fencing_token, trace, finish_reason, deleted_at, withheld_at, variant, rating
        """),
        conversation_id=new.conversation_id,
        sequence=new.sequence,
        content=new.content,
        key=new.idempotency_key,
        lease_s=new.lease_s,
    )
    if len(rows) != 2:
        raise RoundInProgressError
    message, reply = sorted(rows, key=itemgetter("sequence_number"))
    return from_row(message), int(reply["fencing_token"])


def reword(
    connection: PgConnection,
    conversation_id: ConversationId,
    sequence: int,
    content: str,
    idempotency_key: str | None = None,
) -> Message:
    """Replace the text and time of a user message. Its number among the user's turns stays."""
    row = fetch_row(
        connection,
        """
        UPDATE messages
        SET content = %(content)s, created_at = now(), withheld_at = NULL, unread_by = NULL,
            idempotency_key = %(key)s,
            idempotency_user = CASE WHEN %(key)s::text IS NOT NULL THEN user_id END
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND role = 'user'
        RETURNING *
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        content=content,
        key=idempotency_key,
    )
    return _existing(row)


def find_sent(connection: PgConnection, user_id: UserId, idempotency_key: str) -> Message | None:
    """The user message that was sent with this key."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM messages
        WHERE idempotency_user = %(user_id)s AND idempotency_key = %(idempotency_key)s
        """,
        user_id=user_id,
        idempotency_key=idempotency_key,
    )
    return from_row(row) if row else None


def get_message(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> Message:
    """The message. Raises `NotFoundError`."""
    message = find_message(connection, conversation_id, sequence)
    if message is None:
        raise NotFoundError("There is no such message.")
    return message


def find_message(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> Message | None:
    row = fetch_row(
        connection,
        """
        SELECT * FROM messages
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    return from_row(row) if row else None


def list_messages(
    connection: PgConnection, conversation_id: ConversationId, span: Span, limit: int = 1000
) -> list[Message]:
    """The newest `limit` closed messages of a span, oldest first.

    Messages without text are left out: replies that failed at once, and deleted messages.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        SELECT conversation_id, sequence_number, role, content, status, model, created_at, error,
               fencing_token, trace, finish_reason, deleted_at, withheld_at, variant, rating
        FROM messages
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number BETWEEN %(start)s AND %(end)s
          AND status <> 'streaming' AND content <> ''
        ORDER BY sequence_number DESC
        LIMIT %(limit)s
        """),
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        limit=limit,
    )
    return [from_row(row) for row in reversed(rows)]


def list_turns(connection: PgConnection, conversation_id: ConversationId, span: Span) -> list[Turn]:
    """The messages that `list_messages` gives, newest first, without what no prompt shows."""
    rows = fetch_tuples(
        connection,
        """
        SELECT role, content, extract(epoch FROM created_at)::float8, sequence_number,
               coalesce(fencing_token, 0)
        FROM messages
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number BETWEEN %(start)s AND %(end)s
          AND status <> 'streaming' AND content <> ''
        ORDER BY sequence_number DESC
        LIMIT 1000
        """,
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
    )
    return [
        Turn(role=role, content=content, ts=ts, seq=seq, token=token)
        for role, content, ts, seq, token in rows
    ]


def list_newest(
    connection: PgConnection, conversation_id: ConversationId, *, limit: int, before: int | None
) -> list[Message]:
    """A page of messages, oldest first, that ends just before sequence number `before`.

    None: it ends with the newest message.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM messages
        WHERE conversation_id = %(conversation_id)s
          AND (%(before)s::integer IS NULL OR sequence_number < %(before)s)
        ORDER BY sequence_number DESC
        LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        before=before,
        limit=limit,
    )
    return [from_row(row) for row in reversed(rows)]


def list_after(
    connection: PgConnection, conversation_id: ConversationId, *, limit: int, after: int
) -> list[Message]:
    """A page of messages, oldest first, that begins just after sequence number `after`."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM messages
        WHERE conversation_id = %(conversation_id)s AND sequence_number > %(after)s
        ORDER BY sequence_number
        LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        after=after,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def list_around(
    connection: PgConnection, conversation_id: ConversationId, *, limit: int, around: int
) -> list[Message]:
    """A page of messages, oldest first, with sequence number `around` in its middle."""
    half = max(1, limit // 2)
    around = min(around, LAST_NUMBER - 1)
    older = list_newest(connection, conversation_id, limit=half, before=around + 1)
    return older + list_after(connection, conversation_id, limit=limit - half, after=around)


def find_last_sequence(connection: PgConnection, conversation_id: ConversationId) -> int | None:
    """The sequence number of the newest message, also in an open round. None: there is none."""
    row = fetch_row(
        connection,
        """
        SELECT max(sequence_number) AS last FROM messages
        WHERE conversation_id = %(conversation_id)s
        """,
        conversation_id=conversation_id,
    )
    return row["last"] if row else None


def from_row(row: Row) -> Message:
    return Message(
        conversation_id=read_conversation_id(row),
        sequence_number=row["sequence_number"],
        role=row["role"],
        content=row["content"],
        status=row["status"],
        model=row["model"],
        created_at=row["created_at"],
        error=row["error"],
        fencing_token=row["fencing_token"],
        trace=row["trace"],
        finish_reason=row["finish_reason"],
        deleted_at=row["deleted_at"],
        withheld_at=row["withheld_at"],
        variant=row["variant"],
        rating=row["rating"],
    )


def _existing(row: Row | None) -> Message:
    if row is None:
        raise NotFoundError("There is no such message.")
    return from_row(row)
