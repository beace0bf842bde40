"""Access to a local site: every request must show the site's token.

Browsers show it once in an address, then in a cookie whose value is derived from the token.
Programs send `Authorization: Bearer TOKEN`.
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import quote, urlencode

from flask import Request, Response, redirect, render_template

from shared.errors import NotSignedInError
from shared.settings import Settings
from web.pages.assets import STYLES
from web.pages.language import current_language
from web.pages.texts import read_texts
from web.requests.client_address import is_https

PAGES = frozenset({"page.show", "operations_page.show", "print_page.print_chat"})
ARGUMENT = "token"
COOKIE_LIFE_S = 365 * 24 * 3600


def check_token(request: Request, token: str, settings: Settings) -> Response | None:
    """The answer to a request that may not go on yet; None if it may.

    A page whose address contains the token gets a cookie. A page without token and cookie gets a
    form that asks for the token. Raises `NotSignedInError` for other requests without the token.
    """
    offered = request.args.get(ARGUMENT) if request.endpoint in PAGES else None
    if offered is not None and _is_same(offered, token):
        return _set_cookie_and_redirect(request, token, settings)
    if shows_token(request, token):
        return None
    if request.endpoint in PAGES:
        return _ask_for_token(is_wrong=offered is not None)
    raise NotSignedInError("Please send the site's token: Authorization: Bearer …")


def cookie_name(request: Request) -> str:
    """The name contains the port, because browsers send a cookie to all ports of a host."""
    _, colon, port = request.host.rpartition(":")
    return f"throughline-{port}" if colon and port.isdecimal() else "throughline"


def _set_cookie_and_redirect(request: Request, token: str, settings: Settings) -> Response:
    """Redirect to the same page without the token in its address, and set the cookie."""
    rest = [(name, value) for name, value in request.args.items(multi=True) if name != ARGUMENT]
    address = quote(request.path) + (f"?{urlencode(rest)}" if rest else "")
    response: Response = redirect(address)  # type: ignore[assignment]
    response.set_cookie(
        cookie_name(request),
        _cookie_value(token),
        max_age=COOKIE_LIFE_S,
        httponly=True,
        samesite="Strict",
        secure=is_https(request, settings),
    )
    return response


def shows_token(request: Request, token: str) -> bool:
    """Whether the request shows the site's token, as a bearer or as the cookie made from it."""
    authorization = request.authorization
    if authorization is not None and authorization.type == "bearer":
        return _is_same(authorization.token or "", token)
    return _is_same(request.cookies.get(cookie_name(request), ""), _cookie_value(token))


def _ask_for_token(*, is_wrong: bool) -> Response:
    page = render_template(
        "page/token.html",
        texts=read_texts(current_language()),
        styles=STYLES,
        is_wrong=is_wrong,
    )
    return Response(page, status=NotSignedInError.http_status)


def _cookie_value(token: str) -> str:
    return hmac.new(token.encode(), b"cookie", hashlib.sha256).hexdigest()


def _is_same(text: str, expected: str) -> bool:
    return hmac.compare_digest(text.encode("utf-8", "replace"), expected.encode())
