"""What a program asks its user for: checked once, then signed and carried through the browser."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from flask import current_app
from itsdangerous import BadSignature, URLSafeTimedSerializer
from mcp.server.auth.provider import (
    AuthorizationParams,
    AuthorizeError,
    construct_redirect_uri,
)
from mcp.shared.auth import OAuthClientInformationFull

from shared.errors import InvalidRequestError
from shared.models import Scope
from web.accounts.addresses import site_url
from web.mcp.oauth.clients import OFFERED
from web.process.context import web_context

PAGE = "/account/connect"
LIFE_S = 900  # to sign in, and to decide
MAX_STATE_CHARS = 1000


@dataclass(frozen=True, kw_only=True)
class ConsentRequest:
    client_id: str
    scopes: tuple[Scope, ...]
    redirect_uri: str
    names_redirect: bool
    code_challenge: str
    #: The program's own value, which it gets back.
    state: str | None

    def answer(self, **values: str) -> str:
        """The address that brings the browser back to the program."""
        parameters = values | {"iss": site_url(web_context().services.settings)}
        return construct_redirect_uri(self.redirect_uri, state=self.state, **parameters)


def consent_address(client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
    """The consent page for a request that the SDK has checked. Raises `AuthorizeError`."""
    if params.resource is not None and params.resource.rstrip("/") != resource_url():
        raise AuthorizeError("invalid_target", f"the resource here is {resource_url()}")
    if len(params.state or "") > MAX_STATE_CHARS:
        raise AuthorizeError("invalid_request", "state is too long")
    consent_request = ConsentRequest(
        client_id=client.client_id,
        scopes=tuple(scope for scope in OFFERED if scope in (params.scopes or OFFERED)),
        redirect_uri=str(params.redirect_uri),
        names_redirect=params.redirect_uri_provided_explicitly,
        code_challenge=params.code_challenge,
        state=params.state,
    )
    return f"{PAGE}?{urlencode({'request': _signer().dumps(asdict(consent_request))})}"


def read_request(text: str) -> ConsentRequest:
    """Read a signed request. Raises `InvalidRequestError`."""
    try:
        fields: dict[str, Any] = _signer().loads(text, max_age=LIFE_S)
    except BadSignature as exc:
        raise InvalidRequestError(
            "This request is too old, or was not made here. Please begin again in the program."
        ) from exc
    return ConsentRequest(**fields | {"scopes": tuple(fields["scopes"])})


def resource_url() -> str:
    """The address for which tokens are issued (RFC 8707)."""
    return f"{site_url(web_context().services.settings)}/mcp"


def _signer() -> URLSafeTimedSerializer:
    assert current_app.secret_key is not None  # noqa: S101 - the accounts have set it
    return URLSafeTimedSerializer(current_app.secret_key, salt="oauth request")
