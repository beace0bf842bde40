"""The audit log: to each user about their own data, to operators about all. Ids only."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.models import AuditEvent
from shared.store import audit
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.operation import operation
from web.api.queries import BigNumber, Listing
from web.callers import needs
from web.context import transaction

blueprint = Blueprint("audit", __name__, url_prefix="/api/audit")


class AuditQuery(Listing):
    DEFAULT = 50
    MOST = 200

    before: BigNumber | None = Field(default=None, exclude=True)

    @property
    def before_id(self) -> int | None:
        place = read_cursor(self)
        return place[0] if place else self.before


class ThingAnswer(Answer):
    kind: str
    object_id: str


class AuditAnswer(Answer):
    event_id: int
    at: Instant
    user_id: str
    actor_id: str | None = Field(description="Null: the site itself.")
    action: str
    object: ThingAnswer | None
    token_id: int | None = Field(description="Null: a session.")
    request_id: str | None
    address: str | None


class AuditPage(Page):
    events: list[AuditAnswer]
    next: int | None = Field(default=None, exclude=True)


@blueprint.get("")
@needs("memory:read")
@operation()
def list_events(query: AuditQuery) -> AuditPage:
    """List who did what to the user's data, newest first."""
    with transaction() as connection:
        found = audit.list_of_user(
            connection, g.user_id, before=query.before_id, limit=query.size + 1
        )
    return audit_page(found, query)


def audit_page(found: list[AuditEvent], query: AuditQuery) -> AuditPage:
    """The first events of `found`, which was read with one more than the page has."""
    page = found[: query.size]
    return AuditPage(
        events=[_answer(event) for event in page],
        next_cursor=next_cursor(found, query, lambda event: (event.event_id,)),
        next=page[-1].event_id if len(found) > query.size else None,
    )


def _answer(event: AuditEvent) -> AuditAnswer:
    return AuditAnswer(
        event_id=event.event_id,
        at=event.at,
        user_id=event.user_id,
        actor_id=event.actor_id,
        action=event.action,
        object=ThingAnswer(**event.thing._asdict()) if event.thing else None,
        token_id=event.token_id,
        request_id=event.request_id,
        address=event.address,
    )
