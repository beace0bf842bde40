"""API tokens in requests: `Authorization: Bearer tl_…`, in every AUTH_MODE.

A request that shows a token acts for the token's user, with the token's scopes, and its cookies
count for nothing.
"""

from __future__ import annotations

from flask import Request

from shared.access.tokens import check_token, looks_like_token
from shared.db import PgConnection
from shared.errors import ForbiddenError, InvalidTokenError
from shared.models import Scope, UserId
from shared.services import Services
from shared.settings import Settings
from shared.store.accounts import people
from web.identity.local_access import shows_token
from web.requests.callers import Caller


def read_token(request: Request, local_token: str | None) -> str | None:
    """The API token that the request shows, good or not. None: it shows none.

    The token of a local site may look like one.
    """
    authorization = request.authorization
    if (
        authorization is None
        or authorization.type != "bearer"
        or not looks_like_token(authorization.token or "")
    ):
        return None
    if local_token is not None and shows_token(request, local_token):
        return None
    return authorization.token


def find_caller(services: Services, text: str, user_id: UserId | None) -> Caller:
    """Whom the token stands for. `operate` counts only while its user is an operator.

    Raises `InvalidTokenError`, and `ForbiddenError` for a token of another user than `user_id`.
    """
    settings = services.settings
    with services.database.transaction() as connection:
        token = check_token(connection, text)
        operates = (
            _check_account(connection, settings, token.user_id)
            if settings.has_accounts
            else settings.names_operator(token.user_id)
        )
    if user_id not in {None, token.user_id}:
        raise ForbiddenError("You are signed in as another user than the token's.")
    scopes: set[Scope] = set(token.scopes)
    if not operates:
        scopes.discard("operate")
    return Caller(token.user_id, frozenset(scopes), token.token_id)


def _check_account(connection: PgConnection, settings: Settings, user_id: UserId) -> bool:
    """Whether the account operates. Raises `InvalidTokenError` for one that cannot sign in."""
    account = people.find_account(connection, user_id)
    if account is None or account.is_disabled or account.issuer != settings.account_issuer:
        raise InvalidTokenError("The account of this API token is disabled.")
    return account.is_operator
