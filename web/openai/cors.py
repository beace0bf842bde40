"""Pages of other sites that may use `/v1`: those of CORS_ORIGINS, with a token and no cookie."""

from __future__ import annotations

from flask import Request, Response

from shared.errors import NotSignedInError
from shared.settings import Settings
from web.openai.errors import is_openai

MAX_AGE_S = 3600
EXPOSED = "X-Conversation-Id, X-Request-Id, Retry-After, Idempotent-Replayed"


def is_allowed_page(request: Request, settings: Settings) -> bool:
    """Whether a page of another site that may do so sends the request.

    Raises `NotSignedInError` if it shows no token: a cookie would be the browser's doing.
    """
    if not _is_allowed_origin(request, settings):
        return False
    authorization = request.authorization
    if request.method != "OPTIONS" and (authorization is None or authorization.type != "bearer"):
        raise NotSignedInError("A page of another site has to send a token.")
    return True


def answer_preflight(request: Request, settings: Settings) -> Response | None:
    """The answer to a browser that asks whether the page may send its request."""
    asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    if not (asks and _is_allowed_origin(request, settings)):
        return None
    return Response(
        status=204,
        headers={
            "Access-Control-Allow-Methods": "GET, POST, DELETE",
            "Access-Control-Allow-Headers": request.headers.get(
                "Access-Control-Request-Headers", ""
            ),
            "Access-Control-Max-Age": str(MAX_AGE_S),
        },
    )


def add_cors_headers(request: Request, settings: Settings, response: Response) -> Response:
    if is_openai(request) and settings.cors_origins:
        response.headers.add("Vary", "Origin")
    if _is_allowed_origin(request, settings):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _is_allowed_origin(request: Request, settings: Settings) -> bool:
    return is_openai(request) and request.headers.get("Origin") in settings.cors_origins
