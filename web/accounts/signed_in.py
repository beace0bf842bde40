"""Who is signed in. A browser's session is a row of `account_sessions`, so that it can be ended."""

from __future__ import annotations

from flask import session
from flask_login import UserMixin, current_user, login_user, logout_user

from shared.access.audit import record
from shared.errors import NotSignedInError
from shared.models import UserId
from shared.models.accounts import Account
from shared.store.accounts import sessions
from web.accounts.account_context import settings
from web.accounts.random_tokens import hash_token, make_token
from web.accounts.revocation import end_access
from web.process.context import transaction
from web.requests.callers import ALL_SCOPES, Caller

DAY_S = 24 * 3600
SESSION_DAYS = 30  # that a browser stays signed in
CODE_WAIT_S = 600  # for the second factor, after the password
_WAITING = "needs_code"
_SIGNED_OUT = "signed_out"


class SignedIn(UserMixin):  # type: ignore[misc]  # Flask-Login has no types
    """Flask-Login's user. Its id is the session's token, not the account's: it can be revoked."""

    def __init__(self, account: Account, token: str) -> None:
        self.account = account
        self.token = token

    def get_id(self) -> str:
        return self.token


def load_signed_in(token: str) -> SignedIn | None:
    """Find who is signed in, for Flask-Login."""
    with transaction() as connection:
        stored_session = sessions.find_session(connection, hash_token(token))
    if (
        stored_session is None
        or stored_session.needs_code
        or stored_session.account.issuer != settings().account_issuer
    ):
        return None
    return SignedIn(stored_session.account, token)


def find_own_account() -> Account | None:
    """The account whose session the browser has shown."""
    return current_user.account if current_user.is_authenticated else None


def own_account() -> Account:
    """The account that is signed in. Raises `NotSignedInError`."""
    account = find_own_account()
    if account is None:
        raise NotSignedInError
    return account


def session_caller() -> Caller:
    """The caller of a request with a session. Raises `NotSignedInError`.

    Only operators have the scope `operate`.
    """
    account = own_account()
    scopes = ALL_SCOPES if account.is_operator else ALL_SCOPES - {"operate"}
    return Caller(account.account_id, scopes, session_hash=hash_token(current_user.token))


def sign_in(account: Account) -> None:
    """Begin a new session, whatever the browser had before."""
    sign_out()
    token = make_token()
    with transaction() as connection:
        sessions.add_session(
            connection,
            hash_token(token),
            account.account_id,
            lifetime_s=SESSION_DAYS * DAY_S,
        )
        record(connection, "session.begin", account.account_id, by=account.account_id)
    session.permanent = True
    login_user(SignedIn(account, token))


def sign_out() -> None:
    """End this browser's session, also one that waits for a code."""
    for name in ("_user_id", _WAITING):
        if name in session:
            _end_session(session[name], is_waiting=name == _WAITING)
    logout_user()
    session.clear()


def sign_out_browser() -> None:
    """End this browser's session by its user's wish. The next page removes what it keeps."""
    sign_out()
    session[_SIGNED_OUT] = True


def is_just_signed_out() -> bool:
    """Whether this is the first page after the user has signed out."""
    return bool(session.pop(_SIGNED_OUT, False))


def _end_session(token: str, *, is_waiting: bool) -> None:
    with transaction() as connection:
        account_id = sessions.end_session(connection, hash_token(token))
        if account_id is not None and not is_waiting:
            record(connection, "session.end", account_id, by=account_id)


def sign_out_everywhere(account_id: UserId, *, with_tokens: bool) -> None:
    with transaction() as connection:
        end_access(connection, account_id, with_tokens=with_tokens)
        record(connection, "session.end_all", account_id)


def wait_for_code(account: Account) -> None:
    """Remember that this browser has shown the account's password, and owes a code."""
    sign_out()
    token = make_token()
    with transaction() as connection:
        sessions.add_session(
            connection,
            hash_token(token),
            account.account_id,
            lifetime_s=CODE_WAIT_S,
            needs_code=True,
        )
    session[_WAITING] = token


def find_waiting_account() -> Account | None:
    """The account that this browser owes a code for."""
    token = session.get(_WAITING)
    if not token:
        return None
    with transaction() as connection:
        stored_session = sessions.find_session(connection, hash_token(token))
    return stored_session.account if stored_session and stored_session.needs_code else None
