"""Pages of other sites that may use `/v1`: those of CORS_ORIGINS, with a token and no cookie."""

from __future__ import annotations

from flask import Request, Response

from shared.errors import NotSignedInError
from shared.settings import Settings
from web.openai.errors import is_openai

MAX_AGE_S = 3600
EXPOSED = "X-Conversation-Id, X-Request-Id, Retry-After, Idempotent-Replayed"


def is_allowed_origin(request: Request, settings: Settings) -> bool:
    """Whether a page of a site that CORS_ORIGINS names sends the request."""
    return is_openai(request) and request.headers.get("Origin") in settings.cors_origins


def check_page(request: Request) -> Response | None:
    """Answer the preflight request of an allowed page's browser. Let its other requests pass.

    Raises `NotSignedInError` for a request without a token: browsers send cookies unasked.
    """
    if request.method != "OPTIONS":
        authorization = request.authorization
        if authorization is None or authorization.type != "bearer":
            raise NotSignedInError("A page of another site has to send a token.")
        return None
    if "Access-Control-Request-Method" not in request.headers:
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
    if is_openai(request):
        response.headers.add("Vary", "Origin")
    if is_allowed_origin(request, settings):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
