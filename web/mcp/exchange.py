"""One request and its answer, through the SDK's HTTP transport.

The transport is an ASGI application, and Flask's views are not. So each request gets an event loop
of its own, in the thread that runs the view. That is sound because nothing outlives the request:
the transport runs stateless (no sessions), and answers with JSON (no streams), as the
specification allows.
"""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from flask import Request, Response, jsonify
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST

from web.requests.checked_request import UnusableNumberError, read_json

Message = MutableMapping[str, Any]


def exchange(server: Server[Any], request: Request) -> Response:
    """The SDK's answer. The caller has checked host, origin, size and identity."""
    body = request.get_data()
    try:
        has_unusable_id = _has_unusable_id(body)
    except UnusableNumberError:
        return _refuse("a number is too large, or none.")
    if has_unusable_id:
        return _refuse("id: neither text nor a whole number.")
    return asyncio.run(_exchange(server, request, body))


def _has_unusable_id(body: bytes) -> bool:
    """Such a request would be taken for a notification, and accepted without being carried out."""
    try:
        message = read_json(body)
    except UnusableNumberError:
        raise
    except (ValueError, RecursionError):
        return False  # the transport refuses it
    if not isinstance(message, dict) or not {"id", "method"} <= message.keys():
        return False
    return isinstance(message["id"], bool) or not isinstance(message["id"], str | int)


def _refuse(reason: str) -> Response:
    error = {"code": INVALID_REQUEST, "message": reason}
    response = jsonify({"jsonrpc": "2.0", "id": None, "error": error})
    response.status_code = 400
    return response


async def _exchange(server: Server[Any], request: Request, body: bytes) -> Response:
    messages: list[Message] = []
    unread = [body]

    async def receive() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        messages.append(message)

    manager = StreamableHTTPSessionManager(
        server, stateless=True, json_response=True, max_request_body_size=len(body) + 1
    )
    async with manager.run():
        await manager.handle_request(_scope(request), receive, send)
    return _response(messages)


def _scope(request: Request) -> dict[str, Any]:
    headers = {"Accept": "application/json"} | dict(request.headers)
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in headers.items()
        ],
        "client": None,
        "server": None,
    }


def _response(messages: list[Message]) -> Response:
    start, *rest = messages
    response = Response(b"".join(part.get("body", b"") for part in rest), status=start["status"])
    response.headers.clear()
    for name, value in start["headers"]:
        if name.lower() != b"content-length":
            response.headers.add(name.decode("latin-1"), value.decode("latin-1"))
    return response
