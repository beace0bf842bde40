"""Ends what somebody else may hold of an account: its password is new, or it signs out everywhere.

The connection is that of the account's user (`Database.transaction(user=…)`).
"""

from __future__ import annotations

from flask import request

from shared.access.audit import record
from shared.access.tokens import revoke_token
from shared.db import PgConnection
from shared.models import ApiToken, Thing, UserId
from shared.store import oauth_grants, tokens
from shared.store.accounts import links, sessions


def end_access(connection: PgConnection, account_id: UserId, *, with_tokens: bool) -> None:
    """End its sessions, its links for a new password and its programs.

    API tokens stay unless their user says otherwise: scripts of theirs may need them.
    """
    sessions.end_sessions(connection, account_id)
    links.delete_links(connection, account_id)
    for grant_id in oauth_grants.list_grants(connection, account_id):
        oauth_grants.delete_grant(connection, account_id, grant_id)
        record(connection, "program.end", account_id, Thing("program", str(grant_id)))
    if with_tokens:
        for token in tokens.list_tokens(connection, account_id):
            revoke_token(connection, account_id, token.token_id)


def list_kept_tokens(connection: PgConnection, account_id: UserId) -> list[ApiToken]:
    """The API tokens that would stay, newest first."""
    programs = oauth_grants.list_grants(connection, account_id).values()
    listed = tokens.list_tokens(connection, account_id)
    good = tokens.list_good(connection, [token.token_id for token in listed])
    return [token for token in listed if token.token_id in good and token.token_id not in programs]


def wants_tokens_revoked() -> bool:
    """The answer to the question of the form."""
    return request.form.get("tokens") == "revoke"
