"""Turn one's second factor on and off."""

from __future__ import annotations

from flask import Response, request, url_for

from shared.errors import ForbiddenError, InvalidRequestError
from shared.models.accounts import Account
from web.accounts import second_factor
from web.accounts.authentication import check_own_password
from web.accounts.blueprint import blueprint
from web.accounts.pages import go_to, say, show_page
from web.accounts.signed_in import own_account
from web.accounts.views.own import show_own
from web.pages.language import current_language
from web.pages.texts import read_account_texts
from web.requests.callers import needs


@blueprint.post("/second-factor/begin")
@needs()
def begin_second_factor() -> Response:
    """Show a new key, once the password was shown again."""
    account = _account_without()
    try:
        check_own_password(account, request.form.get("present", ""))
    except InvalidRequestError as error:
        return show_own(account, error)
    second_factor.offer_secret(account)
    return go_to(url_for("accounts.show_second_factor"))


@blueprint.get("/second-factor/new")
@needs()
def show_second_factor() -> Response:
    return _show_key(_account_without())


@blueprint.post("/second-factor/on")
@needs()
def turn_on_second_factor() -> Response:
    account = _account_without()
    try:
        codes = second_factor.turn_on(account, request.form.get("code", ""))
    except InvalidRequestError as error:
        return _show_key(account, error)
    return show_page("recovery_codes", codes=codes)


@blueprint.post("/second-factor/off")
@needs()
def turn_off_second_factor() -> Response:
    account = own_account()
    try:
        check_own_password(account, request.form.get("present", ""))
    except InvalidRequestError as error:
        return show_own(account, error)
    second_factor.turn_off(account)
    return go_to(url_for("accounts.show", done="second_factor_off"))


def _account_without() -> Account:
    account = own_account()
    if account.has_totp or account.password_hash is None:
        raise ForbiddenError("There is a second factor already, or it is elsewhere.")
    return account


def _show_key(account: Account, error: InvalidRequestError | None = None) -> Response:
    secret = second_factor.read_secret(account)
    return show_page(
        "new_second_factor",
        error.http_status if error else 200,
        secret=secret,
        drawing=second_factor.draw_key(
            account, secret, read_account_texts(current_language())["app.name"]
        ),
        error=say(error) if error else None,
    )
