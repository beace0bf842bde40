"""The audit log: `record` in the transaction of what it records, so that both happen or neither.

Who acts is known to the thread of a request (`acting`). In a worker nobody does: the site itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from shared.db import PgConnection
from shared.models import Action, Actor, Thing, UserId
from shared.store import audit

_NOBODY = Actor()
_actor: ContextVar[Actor] = ContextVar("audit_actor", default=_NOBODY)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Record all that this thread does in the block as done by `actor`."""
    before = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(before)


def set_actor(actor: Actor) -> None:
    """Set who acts until the end of the enclosing `acting` block."""
    _actor.set(actor)


def current_actor() -> Actor:
    return _actor.get()


def record(
    connection: PgConnection,
    action: Action,
    user_id: UserId,
    thing: Thing | None = None,
    by: UserId | None = None,
) -> None:
    """Note that something was done to the data of `user_id`.

    `by` is who did it where the request does not say so yet, as at a sign-in.
    """
    actor = _actor.get()
    audit.add_event(connection, user_id, action, thing, replace(actor, user_id=by) if by else actor)


def record_erasure(connection: PgConnection, user_id: UserId) -> None:
    """Delete what the user did to their own data, and note with their id that they are gone."""
    audit.delete_own_events(connection, user_id)
    record(connection, "user.delete", user_id)
