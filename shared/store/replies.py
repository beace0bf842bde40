"""Table `messages`: replies that are being written. A placeholder with a lease stands for each."""

from __future__ import annotations

from typing import NamedTuple

from psycopg2.extras import Json

from shared.db import PgConnection, execute, fetch_row, fetch_rows, prepared
from shared.errors import RoundInProgressError
from shared.models import ConversationId, Outcome, ReplyAttempt, UserId
from shared.policy.retry import LONGEST_LEASE_S
from shared.store.rows import read_conversation_id


class OpenReply(NamedTuple):
    """A `streaming` reply: it is being written, or was when its process ended."""

    user_id: UserId
    conversation_id: ConversationId
    sequence_number: int
    fencing_token: int


def open_reply(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, lease_s: float
) -> int:
    """Insert the `streaming` placeholder, or empty a closed reply to write another variant of it.

    Returns its fencing token. The caller has locked the conversation, and kept the old variant or
    deleted all of them. Raises `RoundInProgressError` when a round of the conversation is open.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO messages (conversation_id, sequence_number, role, content, status,
                              fencing_token, lease_until)
        SELECT %(conversation_id)s, %(sequence)s, 'assistant', '', 'streaming',
               nextval('fencing_tokens'), now() + make_interval(secs => %(lease_s)s)
        WHERE NOT EXISTS (
            SELECT FROM messages
            WHERE conversation_id = %(conversation_id)s AND status = 'streaming'
        )
        ON CONFLICT (conversation_id, sequence_number) DO UPDATE
        SET content = '', status = 'streaming', error = NULL, trace = NULL, model = NULL,
            finish_reason = NULL, deleted_at = NULL, created_at = now(), rating = NULL,
            variant = 1 + coalesce(
                (SELECT max(variant) FROM reply_variants
                 WHERE conversation_id = %(conversation_id)s
                   AND sequence_number = %(sequence)s), 0),
            fencing_token = excluded.fencing_token, lease_until = excluded.lease_until
        RETURNING fencing_token
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        lease_s=lease_s,
    )
    if row is None:
        raise RoundInProgressError
    return int(row["fencing_token"])


def continue_reply(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, lease_s: float
) -> int:
    """Open a closed reply again, with the text that it has. Returns its new fencing token.

    The caller has locked the conversation. Raises `RoundInProgressError` when a round of the
    conversation is open.
    """
    row = fetch_row(
        connection,
        """
        UPDATE messages
        SET status = 'streaming', error = NULL, finish_reason = NULL,
            fencing_token = nextval('fencing_tokens'),
            lease_until = now() + make_interval(secs => %(lease_s)s)
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND NOT EXISTS (
            SELECT FROM messages
            WHERE conversation_id = %(conversation_id)s AND status = 'streaming'
          )
        RETURNING fencing_token
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        lease_s=lease_s,
    )
    if row is None:
        raise RoundInProgressError
    return int(row["fencing_token"])


def close_reply(connection: PgConnection, attempt: ReplyAttempt, outcome: Outcome) -> bool:
    """Write the outcome into the placeholder. False: another writer has closed this round."""
    touched = execute(
        connection,
        prepared("""
        UPDATE messages
        SET content = %(content)s, status = %(status)s, model = %(model)s, error = %(error)s,
            finish_reason = %(finish_reason)s, trace = %(trace)s, lease_until = NULL
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND status = 'streaming' AND fencing_token = %(fencing_token)s
        """),
        conversation_id=attempt.conversation_id,
        sequence=attempt.sequence,
        fencing_token=attempt.fencing_token,
        content=outcome.content,
        status=outcome.status,
        model=outcome.model,
        error=outcome.error,
        finish_reason=outcome.finish_reason,
        trace=Json(outcome.trace),
    )
    return touched == 1


def rate_reply(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, rating: int | None
) -> None:
    """Keep a rating (1 or -1), or with None take it back."""
    execute(
        connection,
        """
        UPDATE messages SET rating = %(rating)s
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        rating=rating,
    )


def renew_rounds(connection: PgConnection, fencing_tokens: list[int], lease_s: float) -> set[int]:
    """Renew the leases of open rounds. Returns the tokens of those that were renewed."""
    rows = fetch_rows(
        connection,
        """
        UPDATE messages SET lease_until = now() + make_interval(secs => %(lease_s)s)
        WHERE status = 'streaming' AND fencing_token = ANY(%(fencing_tokens)s)
        RETURNING fencing_token
        """,
        fencing_tokens=fencing_tokens,
        lease_s=lease_s,
    )
    return {row["fencing_token"] for row in rows}


def list_abandoned_rounds(connection: PgConnection, limit: int) -> list[OpenReply]:
    """Open rounds whose lease has expired: their web process is gone.

    Leases that expire implausibly late count, too: the database's clock was set back.
    """
    rows = fetch_rows(
        connection,
        """
        SELECT user_id, conversation_id, sequence_number, fencing_token FROM messages
        WHERE status = 'streaming'
          AND (lease_until < now()
               OR lease_until > now() + make_interval(secs => %(longest_s)s))
        ORDER BY lease_until
        LIMIT %(limit)s
        """,
        longest_s=LONGEST_LEASE_S,
        limit=limit,
    )
    return [
        OpenReply(
            user_id=UserId(row["user_id"]),
            conversation_id=read_conversation_id(row),
            sequence_number=row["sequence_number"],
            fencing_token=row["fencing_token"] or 0,
        )
        for row in rows
    ]
