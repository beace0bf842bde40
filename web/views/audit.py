"""The audit log: to each user about their own data, to operators about all. Ids only."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.models import Action, AuditEvent, UserId
from shared.store import audit
from shared.store.audit import AuditFilter
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.operation import operation
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.queries import InstantArgument, Listing

blueprint = Blueprint("audit", __name__, url_prefix="/audit")

# No user's id has a NUL, which Postgres could not be asked for.
UserName = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]+$")]


class AuditQuery(Listing):
    DEFAULT = 50
    MOST = 200

    action: Action | None = Field(default=None, description="What was done.")
    since: InstantArgument | None = Field(default=None, description="Events from then on.")
    until: InstantArgument | None = Field(default=None, description="Events before then.")

    @property
    def event_filter(self) -> AuditFilter:
        place = read_cursor(self)
        return AuditFilter(
            action=self.action,
            since=self.since,
            until=self.until,
            before=place[0] if place else None,
        )


class AuditOfAllQuery(AuditQuery):
    user_id: UserName | None = Field(default=None, description="Whose data it was.")
    actor_id: UserName | None = Field(default=None, description="Who did it.")

    @property
    def event_filter(self) -> AuditFilter:
        user_id = UserId(self.user_id) if self.user_id else None
        actor_id = UserId(self.actor_id) if self.actor_id else None
        return super().event_filter._replace(user_id=user_id, actor_id=actor_id)


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


@blueprint.get("")
@needs("memory:read")
@operation()
def list_events(query: AuditQuery) -> AuditPage:
    """List who did what to the user's data, newest first."""
    with transaction() as connection:
        event_filter = query.event_filter._replace(user_id=g.user_id)
        events = audit.list_events(connection, event_filter, query.size + 1)
    return audit_page(events, query)


def audit_page(events: list[AuditEvent], query: AuditQuery) -> AuditPage:
    """Make a page. `events` was read with one entry more than the page has."""
    return AuditPage(
        events=[_answer(event) for event in events[: query.size]],
        next_cursor=next_cursor(events, query, lambda event: (event.event_id,)),
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
