"""What is checked before, and said after, every request: origin, type, and the browser's limits."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from flask import Request, Response
from werkzeug.exceptions import ExpectationFailed

from shared.errors import ForbiddenError, InvalidRequestError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # What is said here is private. The page's own files name another rule, which wins.
    "Cache-Control": "no-store",
}


def check_host(request: Request, trusted: Sequence[str]) -> None:
    """Answer to these names only; `.example.com` stands for all below it, () for every name.

    Flask's own check (TRUSTED_HOSTS) knows no IPv6 addresses.
    """
    host = _name_in(request.host)
    if trusted and not any(_is_named(host, name.lower()) for name in trusted):
        raise InvalidRequestError("This site does not answer to that name.")


def _name_in(host: str) -> str:
    """Without the port, and without the brackets of an IPv6 address; "" for what is no host."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_named(host: str, name: str) -> bool:
    return host.endswith(name) if name.startswith(".") else host == name.strip("[]")


def check_same_origin(request: Request) -> None:
    """Browsers say where a request comes from; other sites' pages may change nothing here.

    Programs that are no browser send neither header, and carry no one's sign-in by themselves.
    """
    if request.method in SAFE_METHODS:
        return
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise ForbiddenError("This request came from another site.")
    origin = request.headers.get("Origin")
    if origin is not None and _place_in(origin) != request.host:
        raise ForbiddenError("This request came from another site.")


def check_expectation(request: Request) -> None:
    """HTTP knows one expectation: to be told before the body is sent."""
    if request.headers.get("Expect", "100-continue").lower() != "100-continue":
        raise ExpectationFailed("Only 100-continue can be expected here.")


def _place_in(origin: str) -> str:
    """Host and port; "" for what is no site's origin."""
    try:
        place = urlsplit(origin)
    except ValueError:
        return ""
    return place.netloc if place.scheme in {"http", "https"} else ""


def check_json(request: Request) -> None:
    """Bodies are JSON: a form on another site cannot send that type."""
    if request.method in SAFE_METHODS or not _has_body(request):
        return
    if request.mimetype != "application/json":
        raise InvalidRequestError("Send JSON, with Content-Type: application/json.")


def _has_body(request: Request) -> bool:
    """A body in chunks does not tell its length."""
    return bool(request.content_length) or "Transfer-Encoding" in request.headers


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
