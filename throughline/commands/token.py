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
    wanted = TokenRequest(name=name, scopes=tuple(dict.fromkeys(scopes)), expires_at=expires_at)
    with open_services() as services:
        user_id = find_user(services, user, is_known=False)
        with services.database.transaction(user=user_id) as connection:
            made, text = issue_token(connection, user_id, wanted)
    show(_describe(made) | {"token": text}, [text], as_json=as_json)


@token.command("list")
@click.argument("user")
@json_option
def list_of_user(*, user: str, as_json: bool) -> None:
    """List the tokens that were not revoked, without their text."""
    with open_services() as services:
        user_id = find_user(services, user)
        with services.database.transaction(user=user_id) as connection:
            found = tokens.list_tokens(connection, user_id)
    lines = [
        f"{one.token_id:6} {one.prefix}…  {one.name}  ({', '.join(one.scopes)})" for one in found
    ]
    result = {"tokens": [_describe(one) for one in found]}
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


def _describe(one: ApiToken) -> dict[str, object]:
    return {
        "token_id": one.token_id,
        "name": one.name,
        "prefix": one.prefix,
        "scopes": list(one.scopes),
        "expires_at": one.expires_at.isoformat() if one.expires_at else None,
    }
