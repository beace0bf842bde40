"""Table `oauth_grants`: what a user has allowed to a program. Codes and tokens are hashes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import Scope, UserId

REFRESH_LIFE_S = 30 * 24 * 3600
GRACE_S = (
    30  # after its use a refresh token gives the same one again: two threads may use it at once
)
MAX_SPENT = 50  # hashes that are kept, to recognise a code or refresh token that is used again


@dataclass(frozen=True, kw_only=True)
class NewGrant:
    """A grant whose code was not exchanged yet."""

    user_id: UserId
    client_hash: bytes
    client_name: str
    scopes: tuple[Scope, ...]
    redirect_uri: str
    #: The request named the redirect URI, so the exchange must name it, too.
    names_redirect: bool
    code_challenge: str
    secret_hash: bytes


@dataclass(frozen=True, kw_only=True)
class Grant:
    grant_id: int
    client_name: str
    scopes: tuple[Scope, ...]
    redirect_uri: str
    names_redirect: bool
    code_challenge: str
    #: The secret is a code. Otherwise it is a refresh token.
    is_code: bool
    #: The secret was used before.
    is_spent: bool
    #: It is the refresh token before the present one, and was used less than `GRACE_S` ago.
    in_grace: bool
    #: The access token was revoked or deleted.
    is_cut: bool
    token_id: int | None
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Renewal:
    """What a grant gets when its code or refresh token is used."""

    #: Of the new refresh token.
    secret_hash: bytes
    #: The new access token.
    token_id: int


def add_grant(connection: PgConnection, new: NewGrant, lifetime_s: float) -> int:
    """Add a grant, and return its id. Delete the user's grants that have expired."""
    execute(
        connection,
        "DELETE FROM oauth_grants WHERE user_id = %(user_id)s AND expires_at < now()",
        user_id=new.user_id,
    )
    row = fetch_row(
        connection,
        """
        INSERT INTO oauth_grants (user_id, client_hash, client_name, scopes, redirect_uri,
                                  names_redirect, code_challenge, secret_hash, expires_at)
        VALUES (%(user_id)s, %(client_hash)s, %(client_name)s, %(scopes)s, %(redirect_uri)s,
                %(names_redirect)s, %(code_challenge)s, %(secret_hash)s,
                now() + make_interval(secs => %(lifetime_s)s))
        RETURNING grant_id
        """,
        user_id=new.user_id,
        client_hash=new.client_hash,
        client_name=new.client_name,
        scopes=list(new.scopes),
        redirect_uri=new.redirect_uri,
        names_redirect=new.names_redirect,
        code_challenge=new.code_challenge,
        secret_hash=new.secret_hash,
        lifetime_s=lifetime_s,
    )
    assert row is not None  # noqa: S101 - RETURNING
    return int(row["grant_id"])


def find_grant(
    connection: PgConnection, user_id: UserId, client_hash: bytes, secret_hash: bytes
) -> Grant | None:
    """The client's grant with this secret, also if the secret was used before. Locks the grant."""
    # Two statements: the second sees the token that whoever held the lock has issued.
    # The first of all secrets, the last in `spent_hashes`, is the code: it has no grace.
    row = fetch_row(
        connection,
        """
        SELECT FROM oauth_grants
        WHERE user_id = %(user_id)s AND client_hash = %(client_hash)s
          AND (secret_hash = %(secret_hash)s OR %(secret_hash)s = ANY(spent_hashes))
        FOR UPDATE;
        SELECT g.*, g.secret_hash <> %(secret_hash)s AS is_spent,
               g.spent_hashes[1] = %(secret_hash)s AND cardinality(g.spent_hashes) > 1
                   AND g.expires_at > now() + make_interval(secs => %(lifetime_in_grace_s)s)
                   AS in_grace,
               NOT EXISTS (SELECT FROM api_tokens t
                           WHERE t.token_id = g.token_id AND t.revoked_at IS NULL) AS is_cut
        FROM oauth_grants g
        WHERE user_id = %(user_id)s AND client_hash = %(client_hash)s
          AND (secret_hash = %(secret_hash)s OR %(secret_hash)s = ANY(spent_hashes))
        """,
        user_id=user_id,
        client_hash=client_hash,
        secret_hash=secret_hash,
        lifetime_in_grace_s=REFRESH_LIFE_S - GRACE_S,
    )
    return _from_row(row) if row else None


def find_by_token(
    connection: PgConnection, user_id: UserId, client_hash: bytes, token_id: int
) -> int | None:
    """The id of the client's grant with this access token."""
    row = fetch_row(
        connection,
        """
        SELECT grant_id FROM oauth_grants
        WHERE user_id = %(user_id)s AND client_hash = %(client_hash)s AND token_id = %(token_id)s
        """,
        user_id=user_id,
        client_hash=client_hash,
        token_id=token_id,
    )
    return int(row["grant_id"]) if row else None


def renew_grant(connection: PgConnection, user_id: UserId, grant_id: int, renewal: Renewal) -> None:
    """Replace the secret, which is spent now. The caller has locked the grant (`find_grant`)."""
    execute(
        connection,
        """
        UPDATE oauth_grants
        SET spent_hashes = (secret_hash || spent_hashes)[:%(max_spent)s],
            secret_hash = %(secret_hash)s, is_code = false, token_id = %(token_id)s,
            expires_at = now() + make_interval(secs => %(lifetime_s)s)
        WHERE user_id = %(user_id)s AND grant_id = %(grant_id)s
        """,
        user_id=user_id,
        grant_id=grant_id,
        secret_hash=renewal.secret_hash,
        token_id=renewal.token_id,
        lifetime_s=REFRESH_LIFE_S,
        max_spent=MAX_SPENT,
    )


def replace_token(connection: PgConnection, user_id: UserId, grant_id: int, token_id: int) -> None:
    """Give the grant another access token. Its refresh token, and for how long it is good, stay."""
    execute(
        connection,
        """
        UPDATE oauth_grants SET token_id = %(token_id)s
        WHERE user_id = %(user_id)s AND grant_id = %(grant_id)s
        """,
        user_id=user_id,
        grant_id=grant_id,
        token_id=token_id,
    )


def delete_expired(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete grants whose refresh token (or code) has expired. Returns how many."""
    return execute(
        connection,
        """
        DELETE FROM oauth_grants WHERE grant_id IN (
            SELECT grant_id FROM oauth_grants
            WHERE expires_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY grant_id LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def list_grants(connection: PgConnection, user_id: UserId) -> dict[int, int | None]:
    """The ids of the user's grants, each with that of its access token."""
    rows = fetch_rows(
        connection,
        "SELECT grant_id, token_id FROM oauth_grants WHERE user_id = %(user_id)s",
        user_id=user_id,
    )
    return {int(row["grant_id"]): row["token_id"] for row in rows}


def delete_grant(connection: PgConnection, user_id: UserId, grant_id: int) -> None:
    """Also revokes its access token."""
    execute(
        connection,
        """
        WITH gone AS (
            DELETE FROM oauth_grants WHERE user_id = %(user_id)s AND grant_id = %(grant_id)s
            RETURNING token_id
        )
        UPDATE api_tokens SET revoked_at = now()
        WHERE user_id = %(user_id)s AND revoked_at IS NULL
          AND token_id IN (SELECT token_id FROM gone)
        """,
        user_id=user_id,
        grant_id=grant_id,
    )


def _from_row(row: Row) -> Grant:
    return Grant(
        grant_id=row["grant_id"],
        client_name=row["client_name"],
        scopes=tuple(row["scopes"]),
        redirect_uri=row["redirect_uri"],
        names_redirect=row["names_redirect"],
        code_challenge=row["code_challenge"],
        is_code=row["is_code"],
        is_spent=row["is_spent"],
        in_grace=row["in_grace"],
        is_cut=row["is_cut"],
        token_id=row["token_id"],
        expires_at=row["expires_at"],
    )
