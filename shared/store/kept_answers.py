"""Table `kept_answers`: answers to requests with an Idempotency-Key, by user and key."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, execute, fetch_row
from shared.models import UserId

# A process that dies leaves its claim behind. The key is free again when no request can last.
HELD_S = 900


@dataclass(frozen=True, kw_only=True)
class KeptAnswer:
    """A request that was sent under a key, and its answer."""

    #: None: it is still being handled.
    status: int | None
    #: A digest of the request. None: it is still being handled.
    request_hash: bytes | None
    #: Encrypted. None: it is still being handled, or what it made has been deleted.
    body: bytes | None


def claim_key(connection: PgConnection, user_id: UserId, key_hash: bytes) -> KeptAnswer | None:
    """Claim a key for a request. None: the claim succeeded.

    Otherwise the result is the request that was sent under this key before.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO kept_answers AS kept (user_id, key_hash, held_until)
        VALUES (%(user_id)s, %(key_hash)s, now() + make_interval(secs => %(held_s)s))
        ON CONFLICT (user_id, key_hash) DO UPDATE SET held_until = excluded.held_until
        WHERE kept.status IS NULL AND kept.held_until < now()
        RETURNING 1
        """,
        user_id=user_id,
        key_hash=key_hash,
        held_s=HELD_S,
    )
    return None if row else _find(connection, user_id, key_hash)


def keep_answer(
    connection: PgConnection, user_id: UserId, key_hash: bytes, answer: KeptAnswer
) -> None:
    """Keep the answer to a request, unless its user has been deleted meanwhile."""
    execute(
        connection,
        """
        UPDATE kept_answers
        SET status = %(status)s, request_hash = %(request_hash)s, body = %(body)s
        WHERE user_id = %(user_id)s AND key_hash = %(key_hash)s
        """,
        user_id=user_id,
        key_hash=key_hash,
        status=answer.status,
        request_hash=answer.request_hash,
        body=answer.body,
    )


def release_key(connection: PgConnection, user_id: UserId, key_hash: bytes) -> None:
    """Free the key of a request that failed, so that the request may be sent again."""
    execute(
        connection,
        """
        DELETE FROM kept_answers
        WHERE user_id = %(user_id)s AND key_hash = %(key_hash)s AND status IS NULL
        """,
        user_id=user_id,
        key_hash=key_hash,
    )


def empty_answers(connection: PgConnection, user_id: UserId) -> None:
    """Empty the user's answers, which may contain what was deleted. Their keys stay used."""
    execute(
        connection,
        "UPDATE kept_answers SET body = NULL WHERE user_id = %(user_id)s AND body IS NOT NULL",
        user_id=user_id,
    )


def delete_answers(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    return execute(
        connection,
        """
        DELETE FROM kept_answers WHERE (user_id, key_hash) IN (
            SELECT user_id, key_hash FROM kept_answers
            WHERE created_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY created_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _find(connection: PgConnection, user_id: UserId, key_hash: bytes) -> KeptAnswer:
    row = fetch_row(
        connection,
        """
        SELECT status, request_hash, body FROM kept_answers
        WHERE user_id = %(user_id)s AND key_hash = %(key_hash)s
        """,
        user_id=user_id,
        key_hash=key_hash,
    )
    if row is None:  # it was released just now; the caller may try again
        return KeptAnswer(status=None, request_hash=None, body=None)
    return KeptAnswer(
        status=row["status"],
        request_hash=_bytes(row["request_hash"]),
        body=_bytes(row["body"]),
    )


def _bytes(value: memoryview | None) -> bytes | None:
    return bytes(value) if value is not None else None
