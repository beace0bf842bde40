"""Sign in with name, password and code; sign out."""

from __future__ import annotations

from flask import Response, request, url_for

from shared.errors import InvalidRequestError, NotFoundError
from shared.store.accounts import people
from web.accounts.account_context import account_context, settings
from web.accounts.addresses import page_within
from web.accounts.attempts import count_by_address, count_by_name
from web.accounts.authentication import check_password, note_refusal
from web.accounts.blueprint import blueprint
from web.accounts.names import compared
from web.accounts.pages import go_to, say, show_page
from web.accounts.second_factor import check_code
from web.accounts.signed_in import (
    find_own_account,
    find_waiting_account,
    is_just_signed_out,
    own_account,
    sign_out_browser,
    wait_for_code,
)
from web.accounts.signed_in import sign_in as begin_session
from web.pages.language import current_language
from web.pages.texts import read_account_texts
from web.process.context import transaction
from web.requests.callers import needs

MAX_TRIED_CHARS = 256


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    target = page_within(request.values.get("next"))
    if request.method == "GET":
        return go_to(target) if find_own_account() else _show_form(target)
    if settings().auth_mode != "password":
        raise NotFoundError("People sign in elsewhere.")
    name = request.form.get("name", "")[:MAX_TRIED_CHARS]
    count_by_address()
    count_by_name(compared(name))
    account, is_right = check_password(name, request.form.get("password", ""))
    if account is None or not is_right:
        note_refusal(account)
        return _show_form(
            target,
            status=401,
            name=name,
            error=read_account_texts(current_language())["sign_in.wrong"],
        )
    if account.has_totp:
        wait_for_code(account)
        return go_to(url_for("accounts.second_factor", next=target))
    begin_session(account)
    return go_to(target)


@blueprint.route("/second-factor", methods=["GET", "POST"])
def second_factor() -> Response:
    """The code, after the password. Whoever has not shown a password begins there."""
    target = page_within(request.values.get("next"))
    account = find_waiting_account()
    if account is None:
        return go_to(url_for("accounts.sign_in", next=target))
    if request.method == "GET":
        return show_page("second_factor", next=target)
    count_by_address()
    try:
        check_code(account, request.form.get("code", ""))
    except InvalidRequestError as error:
        note_refusal(account)
        return show_page("second_factor", 401, next=target, error=say(error))
    begin_session(account)
    return go_to(target)


@blueprint.post("/sign-out")
@needs()
def sign_out_here() -> Response:
    own_account()
    sign_out_browser()
    return go_to(url_for("accounts.sign_in"))


def _show_form(target: str, status: int = 200, **values: object) -> Response:
    values |= {"next": target, "is_signed_out": is_just_signed_out()}
    provider = account_context().provider
    if provider is not None:
        return show_page("sign_in", elsewhere=provider.sign_out_address(), **values)
    with transaction() as connection:
        is_new = not people.has_accounts(connection)
    return show_page("sign_in", status, is_new=is_new, sign_up=settings().sign_up, **values)
