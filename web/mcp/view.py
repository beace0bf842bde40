"""`/mcp`: the Model Context Protocol over streamable HTTP."""

from __future__ import annotations

from flask import Blueprint, Response, request

from shared.errors import NotSignedInError
from web.process.context import web_context
from web.requests.callers import needs

blueprint = Blueprint("mcp", __name__)


@blueprint.post("/mcp")
@needs()
def ask() -> Response:
    """One message of the protocol. Each tool checks the caller's scopes.

    `GET`, which would open a stream of the server's own messages, is 405: there are none.
    """
    # Loaded with the first request: it takes 0.4 s, and many sites never need it.
    from web.mcp.exchange import exchange
    from web.mcp.server import make_server

    return exchange(make_server(), request)


@blueprint.after_request
def name_resource(response: Response) -> Response:
    """Tell a client that has no good token where it gets one (RFC 9728)."""
    settings = web_context().services.settings
    if response.status_code == NotSignedInError.http_status and settings.has_accounts:
        from web.accounts.addresses import site_url

        challenge = response.headers.get("WWW-Authenticate", NotSignedInError.challenge)
        place = f"{site_url(settings)}/.well-known/oauth-protected-resource/mcp"
        comma = "," if "=" in challenge else ""
        response.headers["WWW-Authenticate"] = f'{challenge}{comma} resource_metadata="{place}"'
    return response
