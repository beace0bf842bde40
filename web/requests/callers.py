"""Who sends a request, and what they may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from shared.errors import ForbiddenError, MissingScopeError
from shared.models import SCOPES, Scope, UserId

__all__ = ["ALL_SCOPES", "Caller", "Scope", "check_scopes", "needs", "scopes_of"]

ALL_SCOPES: frozenset[Scope] = frozenset(SCOPES)

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Caller:
    """`g.caller` in every request that needs a user."""

    user_id: UserId
    scopes: frozenset[Scope]
    #: The API token that the request showed. None: a browser's session, or the site's own token.
    token_id: int | None = None
    #: Of the session's token, where the site has accounts. None: no session of theirs.
    session_hash: bytes | None = None


def needs(*scopes: Scope) -> Callable[[View], View]:
    """Declare the scopes that a view needs. Without any, every known caller may ask."""

    def declare(view: View) -> View:
        view.scopes = frozenset(scopes)  # type: ignore[attr-defined]
        return view

    return declare


def scopes_of(view: Callable[..., Any]) -> frozenset[Scope] | None:
    """The scopes that a view declares. None: it declares nothing."""
    return getattr(view, "scopes", None)


def check_scopes(caller: Caller, view: Callable[..., Any]) -> None:
    """Raises `MissingScopeError` if the caller lacks a scope that the view needs.

    A view that declares no scopes is closed to everybody.
    """
    scopes = scopes_of(view)
    if scopes is None:
        raise ForbiddenError("This address is closed.")
    missing = sorted(scopes - caller.scopes)
    if missing:
        raise MissingScopeError(missing)
