"""Flower behind the site's own sign-in: all of it under `/flower`, for operators.

Flower has the same paths itself (`shared/settings/flower.py`), and a password, which is added here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Blueprint, Response, request

from shared.errors import FlowerUnavailableError, InvalidRequestError
from shared.outbound.connections import Bounds, bounded_call
from shared.settings import Settings
from web.process.context import web_context
from web.requests.callers import needs
from web.requests.client_address import is_https
from web.views import operations

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 10.0
MAX_BYTES = 16_000_000  # a page of all tasks that it keeps
BOUNDS = Bounds(whole_bytes=MAX_BYTES, event_bytes=MAX_BYTES, stream_bytes=MAX_BYTES)
SENT_HEADERS = ("Accept", "Content-Type", "If-None-Match", "X-XSRFToken")
KEPT_HEADERS = ("Content-Type", "Location", "Etag", "Last-Modified", "Cache-Control")
_TOKEN = re.compile(r"[\w|.-]+", re.ASCII)
XSRF_COOKIE = "_xsrf"  # Flower's own. It never sees the site's cookies, nor they Flower's others
# The one script that stands in Flower's pages themselves: how often they ask for news.
SCRIPT = "sha256-A0YIP5A+DKoseGAUTHRoMPDkKPK5cKzfYH3mjcCKtj8="
POLICY = (
    f"default-src 'none'; script-src 'self' '{SCRIPT}'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

blueprint = Blueprint("flower", __name__, url_prefix="/flower")
blueprint.before_request(operations.refuse_others)


@blueprint.get("/", defaults={"path": ""})
@blueprint.route("/<path:path>", methods=["GET", "POST"])
@needs("operate")
def show(path: str) -> Response:
    """Raises `FlowerUnavailableError` and `InvalidRequestError`."""
    import httpx

    settings = web_context().services.settings
    if not path.isprintable():
        raise InvalidRequestError("This address has characters that no page of Flower has.")
    try:
        with bounded_call(BOUNDS, TIMEOUT_S):
            answer = _client().request(
                request.method,
                f"{_address(settings)}/flower/{quote(path)}",
                params=list(request.args.items(multi=True)),
                content=request.get_data(),
                headers=_headers(),
                auth=_sign_in(settings),
            )
    except (httpx.LocalProtocolError, httpx.InvalidURL) as exc:
        raise InvalidRequestError("Flower cannot be asked this.") from exc
    except (httpx.HTTPError, OSError) as exc:
        raise FlowerUnavailableError from exc
    if answer.status_code == HTTPStatus.UNAUTHORIZED:
        raise FlowerUnavailableError("Flower has another password than FLOWER_BASIC_AUTH here.")
    return _response(answer, settings)


@lru_cache(maxsize=1)
def _client() -> httpx.Client:
    import httpx

    from shared.outbound.bounded_answers import watch_answers

    watch_answers()
    return httpx.Client(timeout=TIMEOUT_S, trust_env=False)


def _address(settings: Settings) -> str:
    return settings.flower_internal_url.rstrip("/") or f"http://127.0.0.1:{settings.flower_port}"


def _sign_in(settings: Settings) -> tuple[str, str] | None:
    """The first of Flower's users, with the password."""
    user, colon, password = settings.flower_basic_auth.split(",")[0].strip().partition(":")
    return (user, password) if colon else None


def _headers() -> dict[bytes, bytes]:
    """The headers as bytes, which need not be ASCII."""
    headers = {
        name.encode(): request.headers[name].encode("latin-1")
        for name in SENT_HEADERS
        if name in request.headers
    }
    token = request.cookies.get(XSRF_COOKIE, "")
    if _TOKEN.fullmatch(token):
        headers[b"Cookie"] = f"{XSRF_COOKIE}={token}".encode()
    return headers


def _response(answer: httpx.Response, settings: Settings) -> Response:
    response = Response(answer.content, answer.status_code)
    for name in KEPT_HEADERS:
        if name in answer.headers:
            response.headers[name] = answer.headers[name]
    if token := answer.cookies.get(XSRF_COOKIE):
        response.set_cookie(
            XSRF_COOKIE,
            token,
            path="/flower",
            samesite="Strict",
            secure=is_https(request, settings),
        )
    response.headers["Content-Security-Policy"] = POLICY
    return response
