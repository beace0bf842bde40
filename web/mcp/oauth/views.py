"""The addresses of the authorization server, which programs ask, and its consent page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, request
from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.settings import ClientRegistrationOptions
from starlette.requests import Request
from starlette.responses import Response as StarletteResponse

from shared.errors import InvalidRequestError
from web.accounts.addresses import site_url
from web.accounts.blueprint import blueprint as account_pages
from web.accounts.pages import show_page
from web.accounts.signed_in import own_account
from web.mcp.oauth.clients import OFFERED, RegisteredClient, find_client
from web.mcp.oauth.consent_request import ConsentRequest, read_request, resource_url
from web.mcp.oauth.grants import Grants, add_grant, withdraw
from web.process.context import web_context
from web.requests.callers import needs

MAX_BODY_BYTES = 16_384

blueprint = Blueprint("oauth", __name__)

_grants = Grants()
_REGISTRATION = RegistrationHandler(_grants, ClientRegistrationOptions(enabled=True))
_AUTHORIZATION = AuthorizationHandler(_grants)
_TOKENS = TokenHandler(_grants, ClientAuthenticator(_grants))


@blueprint.before_request
def limit_body() -> None:
    request.max_content_length = MAX_BODY_BYTES


@blueprint.get("/.well-known/oauth-protected-resource")
@blueprint.get("/.well-known/oauth-protected-resource/mcp", endpoint="describe_mcp")
def describe_resource() -> Response:
    """RFC 9728."""
    return jsonify(
        resource=resource_url(),
        authorization_servers=[site_url(web_context().services.settings)],
        scopes_supported=OFFERED,
        bearer_methods_supported=["header"],
        resource_name="Throughline",
    )


@blueprint.get("/.well-known/oauth-authorization-server")
def describe_server() -> Response:
    """RFC 8414."""
    issuer = site_url(web_context().services.settings)
    return jsonify(
        issuer=issuer,
        authorization_endpoint=f"{issuer}/oauth/authorize",
        token_endpoint=f"{issuer}/oauth/token",
        registration_endpoint=f"{issuer}/oauth/register",
        revocation_endpoint=f"{issuer}/oauth/revoke",
        scopes_supported=OFFERED,
        response_types_supported=["code"],
        grant_types_supported=["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported=["none"],
        revocation_endpoint_auth_methods_supported=["none"],
        code_challenge_methods_supported=["S256"],
        authorization_response_iss_parameter_supported=True,
    )


@blueprint.post("/oauth/register")
def register() -> Response:
    """RFC 7591."""
    return _run(_REGISTRATION.handle)


@blueprint.get("/oauth/authorize")
def authorize() -> Response:
    """Check the request, and go on to the consent page."""
    return _run(_AUTHORIZATION.handle)


@blueprint.post("/oauth/token")
def issue() -> Response:
    return _run(_TOKENS.handle)


@blueprint.post("/oauth/revoke")
def revoke() -> Response:
    """RFC 7009. The answer is the same for a token that is none."""
    client = find_client(request.form.get("client_id", ""))
    if client is None:
        return Response('{"error": "invalid_client"}', 401, mimetype="application/json")
    withdraw(client, request.form.get("token", ""))
    return Response(status=200)


@account_pages.get("/connect")
@needs()
def connect() -> Response:
    """The consent page, among the account pages: its forms are protected as theirs are."""
    own_account()
    consent_request = read_request(request.args.get("request", ""))
    return show_page(
        "connect",
        client=_client_of(consent_request).client_name,
        place=_place_of(consent_request.redirect_uri),
        scopes=consent_request.scopes,
        sealed=request.args["request"],
    )


@account_pages.post("/connect")
@needs()
def decide() -> Response:
    """The page goes back to the program by itself.

    It is no redirect: browsers follow one after a form only to places that the page's policy names.
    """
    account = own_account()
    consent_request = read_request(request.form.get("request", ""))
    client = _client_of(consent_request)
    if request.form.get("decision") == "allow":
        address = consent_request.answer(
            code=add_grant(account.account_id, consent_request, client)
        )
    else:
        address = consent_request.answer(error="access_denied")
    return show_page("connected", client=client.client_name, address=address)


def _run(handle: Callable[[Request], Awaitable[StarletteResponse]]) -> Response:
    """One of the SDK's handlers, in an event loop of its own (see `web/mcp/exchange.py`)."""
    answer = asyncio.run(_handle(handle, request.get_data()))
    response = Response(bytes(answer.body), status=answer.status_code)
    response.headers.clear()
    for name, value in answer.headers.items():
        if name.lower() != "content-length":
            response.headers.add(name, value)
    return response


async def _handle(
    handle: Callable[[Request], Awaitable[StarletteResponse]], body: bytes
) -> StarletteResponse:
    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    scope = {
        "type": "http",
        "method": request.method,
        "path": request.path,
        "query_string": request.query_string,
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in request.headers.items()
        ],
    }
    return await handle(Request(scope, receive))


def _place_of(redirect_uri: str) -> str:
    """Where the browser goes back to, as people read it."""
    parts = urlsplit(redirect_uri)
    return parts.netloc if parts.scheme in {"http", "https"} else f"{parts.scheme}:"


def _client_of(consent_request: ConsentRequest) -> RegisteredClient:
    client = find_client(consent_request.client_id)
    if client is None:
        raise InvalidRequestError("The program is not known here any more. Please connect anew.")
    return client
