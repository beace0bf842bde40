"""Who sends a request: the user of an API token, a session, a local site or a proxy."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from http import HTTPStatus

from flask import Request, Response

from shared.errors import ForbiddenError, InvalidRequestError, NotSignedInError
from shared.models import UserId
from shared.settings import Settings
from web.identity.api_tokens import find_caller, read_token
from web.identity.local_access import check_token
from web.identity.request_audit import note_sign_in
from web.process.context import WebContext
from web.requests.callers import ALL_SCOPES, Caller
from web.requests.client_address import is_trusted

LOCAL_USER = UserId("local")
USER_HEADER = "X-Forwarded-User"
MAX_USER_CHARS = 200


def identify(
    request: Request, context: WebContext, session_caller: Callable[[], Caller]
) -> Caller | Response:
    """Who sends the request, or the answer to a request that may not go on yet.

    An API token counts in every AUTH_MODE; behind a proxy it comes through the proxy, too. A
    browser's session, a proxy's user and the site's own token have all scopes, but `operate` only
    for operators. `session_caller` reads the session of a site with accounts.

    Raises `NotSignedInError`, its kind `InvalidTokenError`, and the errors of `find_proxy_user`.
    """
    settings = context.services.settings
    text = read_token(request, context.local_token)
    if settings.has_accounts:
        return find_caller(context.services, text, None) if text is not None else session_caller()
    user_id = find_proxy_user(request, settings) if settings.auth_mode == "proxy" else LOCAL_USER
    if text is not None:
        return find_caller(context.services, text, user_id)
    local_token = context.local_token
    answer = check_token(request, local_token, settings) if local_token else None
    if answer is not None:
        if answer.status_code == HTTPStatus.FOUND:  # the browser gets its cookie
            note_sign_in(LOCAL_USER)
        return answer
    if user_id is None:
        raise NotSignedInError
    operates = settings.names_operator(user_id)
    return Caller(user_id, ALL_SCOPES if operates else ALL_SCOPES - {"operate"})


def find_proxy_user(request: Request, settings: Settings) -> UserId | None:
    """The user that the proxy names. None: it names nobody.

    Raises `ForbiddenError` for a request that did not come through a trusted proxy, and
    `InvalidRequestError` for a name that cannot be one.
    """
    if not is_trusted(request.remote_addr, settings.trusted_proxies):
        raise ForbiddenError("Requests are accepted from the trusted proxies only.")
    name = read_name(request.headers.get(USER_HEADER, ""))
    return UserId(name) if name else None


def read_name(header: str) -> str:
    """The user's name in a header; "" if there is none. Raises `InvalidRequestError`.

    WSGI decodes headers as latin-1, but proxies send names in UTF-8. Names are normalised (NFC):
    é as one character or as two is the same name.
    """
    try:
        name = unicodedata.normalize("NFC", header.encode("latin-1").decode("utf-8")).strip()
    except UnicodeError as exc:
        raise InvalidRequestError(f"{USER_HEADER}: the name is not in UTF-8.") from exc
    if len(name) > MAX_USER_CHARS:
        raise InvalidRequestError(f"{USER_HEADER}: at most {MAX_USER_CHARS} characters.")
    if not name.isprintable():
        raise InvalidRequestError(f"{USER_HEADER}: the name has invisible characters.")
    return name
