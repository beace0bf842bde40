"""`/mcp`: the Model Context Protocol over streamable HTTP."""

from __future__ import annotations

from flask import Blueprint, Response, request

from web.callers import needs

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
