"""Renders the account pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Request, Response, make_response, redirect, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from shared.errors import NotSignedInError, ThroughlineError, TransientError
from web.accounts.account_context import settings
from web.accounts.signed_in import find_own_account
from web.errors import error_response
from web.identity.local_access import PAGES
from web.pages.language import current_language
from web.pages.texts import list_languages, read_account_texts, say_on_account_pages

SEE_OTHER = 303


def show_page(page: str, status: int = 200, /, **values: object) -> Response:
    """A page of `templates/account`.

    Browsers name the origin of its forms only under this referrer policy; no other site is told
    anything by it.
    """
    html = render_template(
        f"account/{page}.html",
        texts=read_account_texts(current_language()),
        languages=list_languages(),
        here=_address_of(request),
        own=find_own_account(),
        auth_mode=settings().auth_mode,
        **values,
    )
    response = make_response(html, status)
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def say(error: ThroughlineError) -> str:
    """The text in the reader's language."""
    return say_on_account_pages(error.message, current_language())


def go_to(address: str) -> Response:
    return redirect(address, SEE_OTHER)  # type: ignore[return-value]


def ask_to_sign_in(error: NotSignedInError) -> Response:
    """A page leads to the sign-in and back; what a program asked for is an error."""
    is_own = request.blueprint == "accounts"
    if request.method == "GET" and (is_own or request.endpoint in PAGES):
        return go_to(url_for("accounts.sign_in", next=_path_of(request)))
    if is_own:
        return go_to(url_for("accounts.sign_in"))
    return error_response(error.http_status, error.code, error.message)


def show_error(error: ThroughlineError) -> Response:
    """A page for what a form could not do."""
    response = show_page("message", error.http_status, message=say(error))
    if isinstance(error, TransientError) and error.retry_after_s is not None:
        response.headers["Retry-After"] = str(math.ceil(error.retry_after_s))
    return response


def show_stale_form(error: CSRFError) -> Response:
    """The form was not given out to this browser, or before it signed in or out."""
    return show_page(
        "message", error.code or 400, message=read_account_texts(current_language())["stale"]
    )


def show_http_error(error: HTTPException) -> Response:
    if error.response is not None:
        return error.response  # type: ignore[return-value]
    return show_page(
        "message",
        error.code or 500,
        message=say_on_account_pages(error.description or "", current_language()),
    )


def _address_of(request: Request) -> str:
    """Where this page, or the form that was sent, can be opened again."""
    if request.method == "GET":
        return _path_of(request)
    if request.url_rule is None or "GET" not in (request.url_rule.methods or ()):
        return url_for("accounts.show")
    form = _form_of(request)
    fields = {name: form[name] for name in ("link", "next", "request") if name in form}
    return f"{request.path}?{urlencode(fields)}" if fields else request.path


def _form_of(request: Request) -> Mapping[str, str]:
    """Empty where the body cannot be read, which may be what the page has to say."""
    try:
        return request.form
    except HTTPException:
        return {}


def _path_of(request: Request) -> str:
    query = request.query_string.decode("latin-1")
    return f"{request.path}?{query}" if query else request.path
