"""Grants: made when a user consents, exchanged for tokens, renewed, and withdrawn.

A code or refresh token names its user, signed, so that it is looked up among that user's rows. One
that is used twice was stolen, from the program or by it: the grant ends. But two threads of a
program may renew at once, so within seconds a refresh token may be used again. Both get the same
next one, and the access token that was issued last is good.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl, ConfigDict, TypeAdapter

from shared.access.audit import record
from shared.access.tokens import TokenRequest, check_token, issue_token
from shared.db import PgConnection
from shared.errors import ConflictError, NotSignedInError
from shared.models import Thing, UserId
from shared.store import oauth_grants, tokens, users
from shared.store.oauth_grants import Grant, NewGrant, Renewal
from web.mcp.oauth.clients import RegisteredClient, find_client, hash_client, register
from web.mcp.oauth.consent_request import ConsentRequest, consent_address
from web.process.context import web_context

CODE_LIFE_S = 60
ACCESS_LIFE_S = 3600

# Without it "http://localhost:1" would become "http://localhost:1/", and match no more.
_URL = TypeAdapter[AnyUrl](AnyUrl, config=ConfigDict(url_preserve_empty_path=True))

Provider = OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]


class Grants(Provider):
    """The OAuth provider of the MCP SDK: clients, codes and tokens, as its handlers want them."""

    async def get_client(self, client_id: str) -> RegisteredClient | None:
        return find_client(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        register(client_info)

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        return consent_address(client, params)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        grant = _find(client, authorization_code)
        if grant is None or not grant.is_code:
            return None
        return AuthorizationCode(
            code=authorization_code,
            client_id=client.client_id,
            scopes=list(grant.scopes),
            expires_at=grant.expires_at.timestamp(),
            code_challenge=grant.code_challenge,
            redirect_uri=_URL.validate_python(grant.redirect_uri),
            redirect_uri_provided_explicitly=grant.names_redirect,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        return _exchange(client, authorization_code.code, authorization_code.scopes)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        grant = _find(client, refresh_token)
        if grant is None or grant.is_code:
            return None
        return RefreshToken(
            token=refresh_token,
            client_id=client.client_id,
            scopes=list(grant.scopes),
            expires_at=int(grant.expires_at.timestamp()),
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        return _exchange(client, refresh_token.token, scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Never called: access tokens are API tokens, which every request of the site checks."""
        raise NotImplementedError

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """Never called: see `withdraw`."""
        raise NotImplementedError


def add_grant(user_id: UserId, consent_request: ConsentRequest, client: RegisteredClient) -> str:
    """Note the user's consent. Returns the code."""
    code = _sign(user_id, secrets.token_urlsafe(32))
    new = NewGrant(
        user_id=user_id,
        client_hash=hash_client(client.client_id),
        client_name=client.client_name or "",
        scopes=consent_request.scopes,
        redirect_uri=consent_request.redirect_uri,
        names_redirect=consent_request.names_redirect,
        code_challenge=consent_request.code_challenge,
        secret_hash=_hash(code),
    )
    with web_context().services.database.transaction(user=user_id) as connection:
        users.ensure_user(connection, user_id)
        grant_id = oauth_grants.add_grant(connection, new, CODE_LIFE_S)
        record(connection, "program.allow", user_id, Thing("program", str(grant_id)))
    return code


def withdraw(client: OAuthClientInformationFull, text: str) -> None:
    """End the grant of a refresh or access token. Nothing happens if it is not the client's."""
    database = web_context().services.database
    client_hash = hash_client(client.client_id)
    user_id = _user_of(text)
    if user_id is not None:
        with database.transaction(user=user_id) as connection:
            grant = oauth_grants.find_grant(connection, user_id, client_hash, _hash(text))
            if grant is not None:
                _end_grant(connection, user_id, grant.grant_id)
        return
    try:
        with database.transaction() as connection:
            token = check_token(connection, text)
    except NotSignedInError:
        return
    owner_id = token.user_id
    with database.transaction(user=owner_id) as connection:
        grant_id = oauth_grants.find_by_token(connection, owner_id, client_hash, token.token_id)
        if grant_id is not None:
            _end_grant(connection, owner_id, grant_id)


def _end_grant(connection: PgConnection, user_id: UserId, grant_id: int) -> None:
    oauth_grants.delete_grant(connection, user_id, grant_id)
    record(connection, "program.end", user_id, Thing("program", str(grant_id)))


def _find(client: OAuthClientInformationFull, secret: str) -> Grant | None:
    """The grant of a code or refresh token. A grant that was misused or cut off ends here."""
    user_id = _user_of(secret)
    if user_id is None:
        return None
    with web_context().services.database.transaction(user=user_id) as connection:
        return _find_good(connection, user_id, client, secret)


def _find_good(
    connection: PgConnection, user_id: UserId, client: OAuthClientInformationFull, secret: str
) -> Grant | None:
    client_hash = hash_client(client.client_id)
    grant = oauth_grants.find_grant(connection, user_id, client_hash, _hash(secret))
    if grant is None:
        return None
    was_misused = grant.is_spent and not grant.in_grace
    if was_misused or (grant.is_cut and not grant.is_code):
        _end_grant(connection, user_id, grant.grant_id)
        return None
    return grant


def _exchange(client: OAuthClientInformationFull, secret: str, scopes: list[str]) -> OAuthToken:
    """New tokens for a code or refresh token. Raises `TokenError` if it was used meanwhile."""
    user_id = _user_of(secret)
    assert user_id is not None  # noqa: S101 - the grant was loaded by it
    refresh = _sign(user_id, _derive(secret))
    with web_context().services.database.transaction(user=user_id) as connection:
        grant = _find_good(connection, user_id, client, secret)
        if grant is not None:
            token_id, access = _issue(connection, user_id, grant, scopes)
            if grant.in_grace:
                oauth_grants.replace_token(connection, user_id, grant.grant_id, token_id)
            else:
                renewal = Renewal(secret_hash=_hash(refresh), token_id=token_id)
                oauth_grants.renew_grant(connection, user_id, grant.grant_id, renewal)
    if grant is None:
        raise TokenError("invalid_grant", "it was used before")
    return OAuthToken(
        access_token=access,
        expires_in=ACCESS_LIFE_S,
        scope=" ".join(scopes),
        refresh_token=refresh,
    )


def _issue(
    connection: PgConnection, user_id: UserId, grant: Grant, scopes: list[str]
) -> tuple[int, str]:
    """Issue an access token, and revoke the one before. Returns its id and its text."""
    if grant.token_id is not None:
        tokens.revoke_token(connection, user_id, grant.token_id)
    token_request = TokenRequest(
        name=grant.client_name,
        scopes=tuple(scope for scope in grant.scopes if scope in scopes),
        expires_at=datetime.now(UTC) + timedelta(seconds=ACCESS_LIFE_S),
    )
    try:
        token, text = issue_token(connection, user_id, token_request)
    except ConflictError as exc:
        raise TokenError("invalid_grant", exc.message) from exc
    return token.token_id, text


def _sign(user_id: UserId, secret: str) -> str:
    return _signer().dumps([user_id, secret])


def _derive(secret: str) -> str:
    """What comes after `secret`. Only who has the site's key can tell it."""
    return hmac.digest(_key(), b"next:" + secret.encode(), "sha256").hex()


def _user_of(secret: str) -> UserId | None:
    try:
        user_id, _ = _signer().loads(secret)
    except BadSignature:
        return None
    return UserId(user_id)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(_key(), salt="oauth grant")


def _key() -> bytes:
    key = current_app.secret_key
    assert key is not None  # noqa: S101 - the accounts have set it
    return key if isinstance(key, bytes) else key.encode()


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
