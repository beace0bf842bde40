"""API tokens of the user: listed, made, revoked.

They are managed in a session, as on the page. A token can do nothing here but revoke itself, so
that whoever finds one cannot make others that outlive it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

from flask import Blueprint, g, request
from pydantic import Field

from shared.access import tokens as access
from shared.access.tokens import TokenRequest
from shared.errors import ForbiddenError, InvalidRequestError
from shared.models import SCOPES, ApiToken, Scope
from shared.store import tokens
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import PRINTABLE, NameText
from web.identity.operators import check_operator
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import Listing

blueprint = Blueprint("tokens", __name__, url_prefix="/tokens")

MAX_NAME_CHARS = 100
MAX_DAYS = 3650


class TokenForm(StrictForm):
    """Without `expires_in_days` the token does not expire."""

    name: Annotated[NameText, Field(max_length=MAX_NAME_CHARS)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]
    expires_in_days: Annotated[int, Field(ge=1, le=MAX_DAYS), WHOLE] | None = None


class TokensQuery(Listing):
    DEFAULT = 100


class TokenAnswer(Answer):
    token_id: int
    name: str
    prefix: str = Field(description="The beginning of its text.")
    scopes: list[Scope]
    created_at: Instant
    expires_at: Instant | None
    last_used_at: Instant | None


class NewTokenAnswer(TokenAnswer):
    token: str = Field(description="Its text, which is in no later answer.")


class TokenPage(Page):
    tokens: list[TokenAnswer]
    scopes: list[Scope] = Field(description="Those that a new token of yours may have.")


@blueprint.get("")
@needs()
@operation()
def list_tokens(query: TokensQuery) -> TokenPage:
    """List API tokens, newest first, with expired ones."""
    _check_session()
    with transaction() as connection:
        entries = tokens.list_tokens(connection, g.user_id)
    page, after = cut_page(entries, query, lambda token: (-token.token_id,))
    return TokenPage(
        tokens=[TokenAnswer.model_validate(token_fields(token)) for token in page],
        scopes=[scope for scope in SCOPES if scope in g.caller.scopes],
        next_cursor=after,
    )


@blueprint.post("")
@needs()
@operation(201, once=True)
def make_token(form: TokenForm) -> tuple[NewTokenAnswer, int]:
    """Make an API token. Its text is in this answer alone."""
    _check_session()
    token_request = TokenRequest(
        name=_check_name(form.name),
        scopes=_check_scopes(form.scopes),
        expires_at=_read_expiry(form.expires_in_days),
    )
    with transaction() as connection:
        token, text = access.issue_token(connection, g.user_id, token_request)
    return NewTokenAnswer.model_validate(token_fields(token) | {"token": text}), 201


@blueprint.delete("/<bigint:token_id>")
@needs()
@operation(204)
def revoke_token(token_id: int) -> None:
    """Revoke an API token.

    The next request that shows it is refused. A token may revoke itself.
    """
    if g.caller.token_id != token_id:
        _check_session()
    with transaction() as connection:
        access.revoke_token(connection, g.user_id, token_id)


def token_fields(token: ApiToken) -> dict[str, object]:
    return {
        "token_id": token.token_id,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
    }


def _check_session() -> None:
    if g.caller.token_id is not None:
        raise ForbiddenError("API tokens are managed on the page, not with an API token.")


def _check_name(name: str) -> str:
    if not re.search(PRINTABLE, name):
        raise InvalidRequestError("name: is empty, or holds invisible characters.")
    return name.strip()


def _check_scopes(scopes: list[Scope]) -> tuple[Scope, ...]:
    """The scopes in their usual order. Raises `ForbiddenError` if the caller may not grant one."""
    if "operate" in scopes:
        context = web_context()
        is_open = context.local_token is None
        check_operator(request, context.services.settings, g.user_id, is_open=is_open)
    missing = set(scopes) - g.caller.scopes
    if missing:
        raise ForbiddenError(f"You do not have the scope {', '.join(sorted(missing))} yourself.")
    return tuple(scope for scope in SCOPES if scope in scopes)


def _read_expiry(days: int | None) -> datetime | None:
    return datetime.now(UTC) + timedelta(days=days) if days is not None else None
