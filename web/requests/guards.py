"""Checks before every request (host, origin, content type), and headers of every answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from flask import Request, Response
from werkzeug.exceptions import ExpectationFailed, UnsupportedMediaType

from shared.errors import ForbiddenError, InvalidRequestError
from web.requests.routing import is_api

JSON_TYPE = "application/json"
FILE_TYPE = "application/octet-stream"
WANTED = {
    JSON_TYPE: "Send JSON, with Content-Type: application/json.",
    FILE_TYPE: "Send the file itself, with Content-Type: application/octet-stream.",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; frame-src 'self'; worker-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Conversations are private. The page's own files set this header themselves.
    "Cache-Control": "no-store",
}


def check_host(request: Request, trusted: Sequence[str]) -> None:
    """Refuse a request for a host name that is not trusted.

    `.example.com` trusts all names below it. An empty `trusted` trusts every name. Flask's own
    check (TRUSTED_HOSTS) does not support IPv6 addresses.
    """
    host = _host_name(request.host)
    if trusted and not any(_matches(host, name.lower()) for name in trusted):
        raise InvalidRequestError("This site does not answer to that name.")


def _host_name(host: str) -> str:
    """The host without its port and IPv6 brackets; "" if it is not valid."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _matches(host: str, name: str) -> bool:
    return host.endswith(name) if name.startswith(".") else host == name.strip("[]")


def check_same_origin(request: Request) -> None:
    """Refuse changes that another site's page asks for. Browsers name the origin in headers.

    Other programs send neither header. Unlike browsers they do not add a user's cookie unasked.
    """
    if request.method in SAFE_METHODS:
        return
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise ForbiddenError("This request came from another site.")
    origin = request.headers.get("Origin")
    if origin is not None and _authority_of(origin) != request.host:
        raise ForbiddenError("This request came from another site.")


def check_expectation(request: Request) -> None:
    """Refuse any expectation but `100-continue`, the only one that HTTP defines."""
    if request.headers.get("Expect", "100-continue").lower() != "100-continue":
        raise ExpectationFailed("Only 100-continue can be expected here.")


def _authority_of(origin: str) -> str:
    """Host and port; "" if it is not the origin of a site."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc if parts.scheme in {"http", "https"} else ""


def check_body_type(request: Request, media_type: str, also: Collection[str] = ()) -> None:
    """Refuse a body of any type but `media_type` and `also`.

    A form on another site can send none of these types.
    """
    # A chunked body has no Content-Length.
    has_body = bool(request.content_length) or "Transfer-Encoding" in request.headers
    if request.method in SAFE_METHODS or not has_body:
        return
    if request.mimetype not in {media_type, *also}:
        if is_api(request):
            raise UnsupportedMediaType(WANTED[media_type])
        raise InvalidRequestError(WANTED[media_type])


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
