"""Programs that have registered. Nothing is stored: a client's id is its registration, signed."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import (
    InvalidRedirectUriError,
    InvalidScopeError,
    OAuthClientInformationFull,
)
from pydantic import AnyUrl

from shared.models import Scope
from shared.settings import LOOPBACK

#: What a program may ask for.
OFFERED: tuple[Scope, ...] = ("memory:read", "memory:write")
MAX_NAME_CHARS = 80
MAX_REDIRECTS_CHARS = 1000  # all of them together: a client's id is part of addresses
# A browser that is sent to one of these runs or shows what the client wrote.
FORBIDDEN_SCHEMES = frozenset(
    ("about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source")
)


class RegisteredClient(OAuthClientInformationFull):
    """A program. It has no secret: PKCE shows that a code was its own."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """A registered address, to the letter; on a loopback host with any port (RFC 8252)."""
        registered = self.redirect_uris or []
        if redirect_uri is None and len(registered) == 1:
            return registered[0]
        if redirect_uri is None or not any(_matches(redirect_uri, uri) for uri in registered):
            raise InvalidRedirectUriError("redirect_uri is not one that the client has registered")
        return redirect_uri

    def validate_scope(self, requested_scope: str | None) -> list[str]:
        """The requested scopes, or all that are offered."""
        scopes = (requested_scope or "").split() or list(OFFERED)
        unknown = sorted(set(scopes) - set(OFFERED))
        if unknown:
            raise InvalidScopeError(f"unknown scopes: {', '.join(unknown)}")
        return sorted(set(scopes))


def register(client: OAuthClientInformationFull) -> None:
    """Check what a program says of itself, and give it its id. Raises `RegistrationError`."""
    uris = [str(uri) for uri in client.redirect_uris or []]
    if not uris or sum(map(len, uris)) > MAX_REDIRECTS_CHARS:
        raise RegistrationError("invalid_redirect_uri", "no redirect_uris, or too long ones")
    for uri in uris:
        if not _is_allowed(uri):
            raise RegistrationError("invalid_redirect_uri", f"not allowed: {uri}")
    name = " ".join((client.client_name or "").split())
    client.client_name = "".join(c for c in name if c.isprintable())[:MAX_NAME_CHARS] or "A program"
    client.client_id = _signer().dumps([client.client_name, uris])
    client.token_endpoint_auth_method = "none"  # noqa: S105 - not a password
    client.client_secret = client.client_secret_expires_at = None
    client.scope = " ".join(OFFERED)


def find_client(client_id: str) -> RegisteredClient | None:
    try:
        name, uris = _signer().loads(client_id)
    except BadSignature:
        return None
    return RegisteredClient(
        client_id=client_id,
        client_name=name,
        redirect_uris=uris,
        token_endpoint_auth_method="none",  # noqa: S106 - not a password
    )


def hash_client(client_id: str) -> bytes:
    return hashlib.sha256(client_id.encode()).digest()


def _signer() -> URLSafeSerializer:
    assert current_app.secret_key is not None  # noqa: S101 - the accounts have set it
    return URLSafeSerializer(current_app.secret_key, salt="oauth client")


def _is_allowed(uri: str) -> bool:
    """https, http on this machine, or an application's own scheme; without a fragment."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    if parts.fragment or parts.username or parts.password or parts.scheme in FORBIDDEN_SCHEMES:
        return False
    return parts.scheme != "http" or parts.hostname in LOOPBACK


def _matches(redirect_uri: AnyUrl, registered: AnyUrl) -> bool:
    if str(redirect_uri) == str(registered):
        return True
    address, other = urlsplit(str(redirect_uri)), urlsplit(str(registered))
    is_local = address.scheme == other.scheme == "http" and address.hostname in LOOPBACK
    return (
        is_local
        and address.hostname == other.hostname
        and (address.path, address.query, address.username, address.fragment)
        == (other.path, other.query, other.username, other.fragment)
    )
