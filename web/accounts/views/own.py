"""One's own account: name, password, sessions, deletion."""

from __future__ import annotations

from flask import Response, request, url_for

from shared.access.audit import record
from shared.errors import ConflictError, InvalidRequestError, ThroughlineError
from shared.models.accounts import Account
from shared.store.accounts import people, second_factor, sessions
from web.accounts.authentication import check_own_password
from web.accounts.blueprint import blueprint
from web.accounts.deletion import delete_with_data
from web.accounts.names import read_names
from web.accounts.pages import go_to, say, show_page
from web.accounts.passwords import check_new_password, hash_password
from web.accounts.revocation import end_access, list_kept_tokens, wants_tokens_revoked
from web.accounts.signed_in import (
    SESSION_DAYS,
    own_account,
    sign_in,
    sign_out_browser,
    sign_out_everywhere,
)
from web.accounts.views.sign_up import read_new_password
from web.process.context import transaction, web_context
from web.requests.callers import needs


@blueprint.get("")
@needs()
def show() -> Response:
    return show_own(own_account())


@blueprint.post("/password")
@needs()
def change_password() -> Response:
    """Ends all other access, and begins a new session here."""
    account = own_account()
    try:
        check_own_password(account, request.form.get("present", ""))
        password = read_new_password()
        check_new_password(password, account.name)
    except InvalidRequestError as error:
        return show_own(account, error)
    password_hash = hash_password(password)
    with transaction() as connection:
        people.set_password(connection, account.account_id, password_hash)
        end_access(connection, account.account_id, with_tokens=wants_tokens_revoked())
        record(connection, "password.change", account.account_id)
    sign_in(account)
    return go_to(url_for("accounts.show", done="password"))


@blueprint.post("/name")
@needs()
def change_name() -> Response:
    account = own_account()
    try:
        _rename(account, request.form.get("name", ""))
    except (InvalidRequestError, ConflictError) as error:
        return show_own(account, error)
    return go_to(url_for("accounts.show", done="name"))


@blueprint.post("/sign-out-everywhere")
@needs()
def sign_out_all() -> Response:
    account = own_account()
    sign_out_everywhere(account.account_id, with_tokens=wants_tokens_revoked())
    sign_out_browser()
    return go_to(url_for("accounts.sign_in"))


@blueprint.post("/delete")
@needs()
def delete_own() -> Response:
    """The account, and everything that the site has of its user."""
    account = own_account()
    try:
        _check_deletion(account)
        delete_with_data(web_context(), account)
    except (InvalidRequestError, ConflictError) as error:
        return show_own(account, error)
    sign_out_browser()
    return go_to(url_for("accounts.sign_in"))


def show_own(account: Account, error: ThroughlineError | None = None) -> Response:
    with transaction() as connection:
        session_count = sessions.count_sessions(connection, account.account_id)
        kept_tokens = list_kept_tokens(connection, account.account_id)
        code_count = second_factor.count_codes(connection, account.account_id)
    return show_page(
        "own",
        error.http_status if error else 200,
        session_count=session_count,
        code_count=code_count,
        kept_tokens=kept_tokens,
        error=say(error) if error else None,
        done=request.args.get("done"),
        session_days=SESSION_DAYS,
    )


def _rename(account: Account, name: str) -> None:
    if account.password_hash is None:
        raise InvalidRequestError("This account's name comes from where it signs in.")
    names = read_names(name)
    with transaction() as connection:
        people.lock_creation(connection)  # two at once could take the same name
        if not people.rename(connection, account.account_id, names):
            raise ConflictError("This name is taken.")
        record(connection, "account.change", account.account_id)


def _check_deletion(account: Account) -> None:
    if account.password_hash is not None:
        check_own_password(account, request.form.get("present", ""))
    if request.form.get("confirm", "") != account.name:
        raise InvalidRequestError("Please type your name to confirm.")
