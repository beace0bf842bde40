"""`throughline token`: API tokens of a user."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click

from shared.access.tokens import TokenRequest, issue_token, revoke_token
from shared.models import SCOPES, ApiToken, Scope
from shared.store import tokens
from throughline.printing import json_option, show
from throughline.site import find_user, open_services


@click.group()
def token() -> None:
    """API tokens of USER: the id, or the account's name."""


@token.command()
@click.argument("user")
@click.option("--name", default="made on the command line", show_default=True)
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    default=("chat", "memory:read", "memory:write"),
    show_default=True,
    help="What it may do. Give it more than once for more.",
)
@click.option("--days", type=click.IntRange(1, 3650), help="Until it expires. [default: never]")
@json_option
def make(
    *, user: str, name: str, scopes: tuple[Scope, ...], days: int | None, as_json: bool
) -> None:
    """Make a token, and print its text, which is shown only once."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    request = TokenRequest(name=name, scopes=tuple(dict.fromkeys(scopes)), expires_at=expires_at)
    with open_services() as services:
        user_id = find_user(services, user, is_known=False)
        with services.database.transaction(user=user_id) as connection:
            api_token, text = issue_token(connection, user_id, request)
    show(_describe(api_token) | {"token": text}, [text], as_json=as_json)


@token.command("list")
@click.argument("user")
@json_option
def list_of_user(*, user: str, as_json: bool) -> None:
    """List the tokens that were not revoked, without their text."""
    with open_services() as services:
        user_id = find_user(services, user)
        with services.database.transaction(user=user_id) as connection:
            api_tokens = tokens.list_tokens(connection, user_id)
    lines = [
        f"{entry.token_id:6} {entry.prefix}…  {entry.name}  ({', '.join(entry.scopes)})"
        for entry in api_tokens
    ]
    result = {"tokens": [_describe(api_token) for api_token in api_tokens]}
    show(result, lines or ["No tokens."], as_json=as_json)


@token.command()
@click.argument("user")
@click.argument("token_id", type=int)
@json_option
def revoke(*, user: str, token_id: int, as_json: bool) -> None:
    """Revoke a token of USER at once."""
    with open_services() as services:
        user_id = find_user(services, user)
        with services.database.transaction(user=user_id) as connection:
            revoke_token(connection, user_id, token_id)
    show({"revoked": token_id}, [f"Token {token_id} is revoked."], as_json=as_json)


def _describe(api_token: ApiToken) -> dict[str, object]:
    return {
        "token_id": api_token.token_id,
        "name": api_token.name,
        "prefix": api_token.prefix,
        "scopes": list(api_token.scopes),
        "expires_at": api_token.expires_at.isoformat() if api_token.expires_at else None,
    }
