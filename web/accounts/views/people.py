"""What operators do with accounts: invite, reset, disable, delete, make operators."""

from __future__ import annotations

from flask import Response, request, url_for

from shared.access.audit import record
from shared.errors import ConflictError, NotFoundError
from shared.models import UserId
from shared.models.accounts import Account
from shared.store.accounts import people
from web.accounts import second_factor
from web.accounts.account_context import settings
from web.accounts.blueprint import blueprint
from web.accounts.deletion import check_is_not_last, delete_with_data, disable
from web.accounts.links import LINK_HOURS, make_invitation, make_reset
from web.accounts.pages import go_to, show_page
from web.accounts.random_tokens import is_account_id
from web.accounts.signed_in import own_account
from web.pages.language import current_language
from web.pages.texts import read_account_texts
from web.process.context import transaction, web_context
from web.requests.callers import needs


@blueprint.get("/people")
@needs("operate")
def list_people() -> Response:
    own_account()
    return _show_list()


@blueprint.post("/people/invite")
@needs("operate")
def invite() -> Response:
    link = make_invitation(settings(), own_account().account_id)
    return show_page("link", link=link, hours=LINK_HOURS)


@blueprint.post("/people/<account_id>/reset")
@needs("operate")
def make_reset_link(account_id: str) -> Response:
    account = _find_other(account_id)
    link = make_reset(web_context().services, account.account_id)
    return show_page("link", link=link, hours=LINK_HOURS, of=account.name)


@blueprint.post("/people/<account_id>/second-factor-off")
@needs("operate")
def remove_second_factor(account_id: str) -> Response:
    """For somebody who has lost the device and the recovery codes."""
    second_factor.turn_off(_find_other(account_id))
    return _go_back()


@blueprint.post("/people/<account_id>/disable")
@needs("operate")
def disable_account(account_id: str) -> Response:
    disable(_find_other(account_id))
    return _go_back()


@blueprint.post("/people/<account_id>/enable")
@needs("operate")
def enable_account(account_id: str) -> Response:
    account = _find_other(account_id)
    with transaction() as connection:
        people.set_disabled(connection, account.account_id, is_disabled=False)
        record(connection, "account.enable", account.account_id)
    return _go_back()


@blueprint.post("/people/<account_id>/operator")
@needs("operate")
def set_operator(account_id: str) -> Response:
    account = _find_other(account_id)
    is_operator = request.form.get("is_operator") == "true"
    with transaction() as connection:
        if not is_operator:
            check_is_not_last(connection, account)
        people.set_operator(connection, account.account_id, is_operator=is_operator)
        record(connection, "account.change", account.account_id)
    return _go_back()


@blueprint.post("/people/<account_id>/delete")
@needs("operate")
def delete_person(account_id: str) -> Response:
    account = _find_other(account_id)
    if request.form.get("confirm", "") != account.name:
        return _show_list(400, read_account_texts(current_language())["people.unlike"])
    delete_with_data(web_context(), account)
    return _go_back()


def _find_other(account_id: str) -> Account:
    """Operators change their own account on its own page."""
    if account_id == own_account().account_id:
        raise ConflictError("Your own account is changed on its own page.")
    if not is_account_id(account_id):
        raise NotFoundError("There is no such account.")
    with transaction() as connection:
        account = people.find_account(connection, UserId(account_id))
    if account is None or account.issuer != settings().account_issuer:
        raise NotFoundError("There is no such account.")
    return account


def _show_list(status: int = 200, error: str | None = None) -> Response:
    with transaction() as connection:
        accounts = people.list_accounts(connection, settings().account_issuer)
    return show_page("people", status, accounts=accounts, error=error)


def _go_back() -> Response:
    return go_to(url_for("accounts.list_people"))
