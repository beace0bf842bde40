"""The choice of a language, also for people who are not signed in."""

from __future__ import annotations

from flask import Response, request

from web.accounts.account_context import settings
from web.accounts.addresses import page_within
from web.accounts.blueprint import blueprint
from web.accounts.pages import go_to
from web.pages.language import keep_language
from web.requests.client_address import is_https


@blueprint.post("/language")
def choose_language() -> Response:
    response = go_to(page_within(request.form.get("next")))
    chosen = request.form.get("language", "")
    keep_language(response, chosen, is_secure=is_https(request, settings()))
    return response
