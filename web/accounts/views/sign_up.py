"""Make an account, and set a password by a one-time link."""

from __future__ import annotations

from flask import Response, request, url_for

from shared.errors import ConflictError, InvalidRequestError
from web.accounts.account_context import settings
from web.accounts.attempts import count_by_address
from web.accounts.blueprint import blueprint
from web.accounts.creation import check_may_sign_up, create_account
from web.accounts.links import count_tokens_behind, use_reset
from web.accounts.pages import go_to, say, show_page
from web.accounts.revocation import wants_tokens_revoked
from web.accounts.signed_in import sign_in, sign_out
from web.process.context import web_context

UNLIKE = "The two passwords are not the same."


@blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> Response:
    """Open to all, or with the one-time link `link`: SIGN_UP decides."""
    link = request.values.get("link", "")
    if request.method == "GET":
        check_may_sign_up(settings(), link)
        return show_page("sign_up", link=link)
    count_by_address()
    name = request.form.get("name", "")
    try:
        account = create_account(settings(), name, read_new_password(), link)
    except (InvalidRequestError, ConflictError) as error:
        return show_page("sign_up", error.http_status, link=link, name=name[:64], error=say(error))
    sign_in(account)
    return go_to(url_for("page.show"))


@blueprint.route("/reset", methods=["GET", "POST"])
def reset() -> Response:
    """Signs nobody in: a second factor is still asked for."""
    link = request.values.get("link", "")
    services = web_context().services
    if request.method == "GET":
        return show_page("reset", link=link, token_count=count_tokens_behind(services, link))
    count_by_address()
    try:
        use_reset(services, link, read_new_password(), with_tokens=wants_tokens_revoked())
    except InvalidRequestError as error:
        count = count_tokens_behind(services, link)
        values = {"link": link, "token_count": count, "error": say(error)}
        return show_page("reset", error.http_status, **values)
    sign_out()
    return go_to(url_for("accounts.sign_in"))


def read_new_password() -> str:
    """Read the fields `password` and `again`. Raises `InvalidRequestError` if they differ."""
    password = request.form.get("password", "")
    if password != request.form.get("again", ""):
        raise InvalidRequestError(UNLIKE)
    return password
