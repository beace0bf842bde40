"""Table `api_tokens`. A token itself is never stored, only its hash."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import ApiToken, NewToken, ShownToken, UserId


def use_token(connection: PgConnection, token_hash: bytes) -> ShownToken | None:
    """Look a token up, and note its use at most once a minute. None: there is no such token.

    This is one round trip, and the only read of tokens that does not need to know the user.
    """
    row = fetch_row(
        connection, "SELECT * FROM use_api_token(%(token_hash)s)", token_hash=token_hash
    )
    return ShownToken(**row | {"scopes": tuple(row["scopes"])}) if row else None  # type: ignore[operator]


def add_token(connection: PgConnection, new: NewToken) -> ApiToken:
    """Add a token. The caller has made sure that the user exists (`users.ensure_user`)."""
    row = fetch_row(
        connection,
        """
        INSERT INTO api_tokens (user_id, name, prefix, token_hash, scopes, expires_at)
        VALUES (%(user_id)s, %(name)s, %(prefix)s, %(token_hash)s, %(scopes)s, %(expires_at)s)
        RETURNING *
        """,
        user_id=new.user_id,
        name=new.name,
        prefix=new.prefix,
        token_hash=new.token_hash,
        scopes=list(new.scopes),
        expires_at=new.expires_at,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return _from_row(row)


def list_tokens(connection: PgConnection, user_id: UserId) -> list[ApiToken]:
    """Tokens that were not revoked, newest first. Expired ones are among them."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM api_tokens WHERE user_id = %(user_id)s AND revoked_at IS NULL
        ORDER BY token_id DESC
        """,
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def count_tokens(connection: PgConnection, user_id: UserId) -> int:
    """Tokens that were not revoked, with expired ones."""
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count FROM api_tokens
        WHERE user_id = %(user_id)s AND revoked_at IS NULL
        """,
        user_id=user_id,
    )
    return int(row["count"]) if row else 0


def revoke_token(connection: PgConnection, user_id: UserId, token_id: int) -> bool:
    """Revoke a token: the next request with it is refused. False: there is no such token."""
    touched = execute(
        connection,
        """
        UPDATE api_tokens SET revoked_at = now()
        WHERE user_id = %(user_id)s AND token_id = %(token_id)s AND revoked_at IS NULL
        """,
        user_id=user_id,
        token_id=token_id,
    )
    return touched > 0


def list_good(connection: PgConnection, token_ids: Sequence[int]) -> set[int]:
    """The tokens among these that are neither revoked nor expired, of all users. For upkeep."""
    rows = fetch_rows(
        connection,
        """
        SELECT token_id FROM api_tokens
        WHERE token_id = ANY(%(token_ids)s) AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())
        """,
        token_ids=list(token_ids),
    )
    return {int(row["token_id"]) for row in rows}


def delete_dead_tokens(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete tokens that were revoked or have expired. Returns how many."""
    return execute(
        connection,
        """
        DELETE FROM api_tokens WHERE token_id IN (
            SELECT token_id FROM api_tokens
            WHERE least(revoked_at, expires_at) < now() - make_interval(days => %(older_than_days)s)
            ORDER BY token_id LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def _from_row(row: Row) -> ApiToken:
    return ApiToken(
        token_id=row["token_id"],
        name=row["name"],
        prefix=row["prefix"],
        scopes=tuple(row["scopes"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
    )
