"""Sign in by a provider of OpenID Connect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, request, session

from shared.access.audit import record
from shared.errors import ForbiddenError, NotFoundError, TooManyAttemptsError
from shared.models.accounts import Account, Identity
from shared.store.accounts import people
from web.accounts.account_context import account_context, settings
from web.accounts.addresses import page_within
from web.accounts.attempts import count_by_address
from web.accounts.blueprint import blueprint
from web.accounts.pages import go_to
from web.accounts.random_tokens import make_account_id
from web.accounts.signed_in import sign_in
from web.process.context import transaction, web_context

if TYPE_CHECKING:
    from web.accounts.oidc import Provider

_NEXT = "next"
REFUSED = "You were not signed in at the other service, or have no account here."


@blueprint.get("/oidc/start")
def oidc_start() -> Response:
    """A link leads here, not a form: the content security policy keeps forms within the site."""
    provider = _provider()
    count_by_address()
    session[_NEXT] = page_within(request.args.get("next"))
    return provider.begin()


@blueprint.get("/oidc/callback")
def oidc_callback() -> Response:
    provider = _provider()
    count_by_address()
    _use_up(request.args.get("state", ""))
    target = page_within(session.get(_NEXT))
    account = _keep_account(provider.finish())
    sign_in(account)
    return go_to(target)


def _use_up(state: str) -> None:
    """Raises `ForbiddenError` for an answer that came before, also with a copy of the cookie.

    Attempts are counted for as long as an ID token may be old.
    """
    try:
        web_context().attempts.count("oidc_state", state, 1)
    except TooManyAttemptsError as exc:
        raise ForbiddenError(REFUSED) from exc


def _keep_account(identity: Identity) -> Account:
    """Raises `ForbiddenError` for a disabled account, and a new one where SIGN_UP is closed."""
    account_id = make_account_id()
    with transaction() as connection:
        if settings().sign_up == "closed" and not people.has_foreign_account(connection, identity):
            raise ForbiddenError(REFUSED)
        account = people.keep_foreign_account(connection, account_id, identity)
        if account.account_id == account_id:
            record(connection, "account.create", account_id, by=account_id)
    if account.is_disabled:
        raise ForbiddenError(REFUSED)
    return account


def _provider() -> Provider:
    provider = account_context().provider
    if provider is None:
        raise NotFoundError("People sign in here, with a password.")
    return provider
