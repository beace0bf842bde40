"""Who may see the operations page: users that OPERATORS names, or who know Flower's password."""

from __future__ import annotations

import hmac

from flask import Request

from shared.errors import ForbiddenError, NotSignedInError
from shared.models import UserId
from shared.settings import Settings


def check_operator(request: Request, settings: Settings, user_id: UserId, *, is_open: bool) -> None:
    """Refuse a user who may not see what is for operators.

    Raises `ForbiddenError` or `NotSignedInError`. Behind a proxy the user's name decides. With
    accounts the scope `operate` has decided. On a local site `check_token` has run already. A site
    without a token (`is_open`) asks for Flower's password, if there is one.
    """
    if settings.auth_mode == "proxy":
        if user_id not in settings.operators:
            raise ForbiddenError("This page is for administrators: OPERATORS names them.")
        return
    password = settings.flower_basic_auth
    if settings.has_accounts:
        return
    if is_open and password and not _knows_password(request, password):
        raise NotSignedInError("Please sign in with the user and the password of Flower.")


def _knows_password(request: Request, accepted: str) -> bool:
    """`accepted` is `user:password`, or several of these with commas between, as for Flower."""
    authorization = request.authorization
    if authorization is None or authorization.type != "basic":
        return False
    offered = f"{authorization.username}:{authorization.password}".encode()
    return any(
        hmac.compare_digest(offered, login.strip().encode()) for login in accepted.split(",")
    )
