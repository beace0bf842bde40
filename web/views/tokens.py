"""API tokens of the user: listed, made, revoked.

They are managed in a session, as on the page. A token can do nothing here but revoke itself, so
that whoever finds one cannot make others that outlive it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from flask import Blueprint, Response, g, jsonify, request
from pydantic import Field

from shared.access import tokens as access
from shared.access.tokens import TokenRequest
from shared.errors import ForbiddenError, InvalidRequestError
from shared.models import SCOPES, ApiToken, Scope
from shared.store import tokens
from web.callers import needs
from web.context import transaction, web_context
from web.forms import StrictForm, read_form
from web.operators import check_operator

blueprint = Blueprint("tokens", __name__, url_prefix="/api/tokens")

MAX_NAME_CHARS = 100
MAX_DAYS = 3650


class TokenForm(StrictForm):
    """`POST /api/tokens`. Without `expires_in_days` the token does not expire."""

    name: Annotated[str, Field(max_length=MAX_NAME_CHARS)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]
    expires_in_days: Annotated[int, Field(ge=1, le=MAX_DAYS)] | None = None


@blueprint.get("")
@needs()
def list_tokens() -> Response:
    """Newest first, with expired ones. `scopes` are those that a new token of yours may have."""
    _check_session()
    with transaction() as connection:
        found = tokens.list_tokens(connection, g.user_id)
    may_have = [scope for scope in SCOPES if scope in g.caller.scopes]
    return jsonify(tokens=[token_json(token) for token in found], scopes=may_have)


@blueprint.post("")
@needs()
def make_token() -> tuple[Response, int]:
    """201 with the new token. `token` is its text, which is in no later answer."""
    _check_session()
    form = read_form(request, TokenForm)
    wanted = TokenRequest(
        name=_check_name(form.name),
        scopes=_check_scopes(form.scopes),
        expires_at=_read_expiry(form.expires_in_days),
    )
    with transaction() as connection:
        made, text = access.issue_token(connection, g.user_id, wanted)
    return jsonify(token_json(made) | {"token": text}), 201


@blueprint.delete("/<bigint:token_id>")
@needs()
def revoke_token(token_id: int) -> tuple[str, int]:
    """The next request that shows the token is refused. A token may revoke itself."""
    if g.caller.token_id != token_id:
        _check_session()
    with transaction() as connection:
        access.revoke_token(connection, g.user_id, token_id)
    return "", 204


def token_json(token: ApiToken) -> dict[str, object]:
    return {
        "token_id": token.token_id,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        "last_used_at": token.last_used_at.isoformat() if token.last_used_at else None,
    }


def _check_session() -> None:
    if g.caller.token_id is not None:
        raise ForbiddenError("API tokens are managed on the page, not with an API token.")


def _check_name(name: str) -> str:
    if not name.strip() or not name.isprintable():
        raise InvalidRequestError("name: is empty, or holds invisible characters.")
    return name.strip()


def _check_scopes(asked: list[Scope]) -> tuple[Scope, ...]:
    """In their usual order, each once. Raises `ForbiddenError` if the caller may not have one."""
    if "operate" in asked:
        context = web_context()
        is_open = context.local_token is None
        check_operator(request, context.services.settings, g.user_id, is_open=is_open)
    missing = set(asked) - g.caller.scopes
    if missing:
        raise ForbiddenError(f"You do not have the scope {', '.join(sorted(missing))} yourself.")
    return tuple(scope for scope in SCOPES if scope in asked)


def _read_expiry(days: int | None) -> datetime | None:
    return datetime.now(UTC) + timedelta(days=days) if days is not None else None
