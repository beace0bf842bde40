"""The audit log: to each user about their own data, to operators about all. Ids only."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request

from shared.models import AuditEvent
from shared.store import audit
from web.callers import needs
from web.context import transaction
from web.forms import MAX_ID, read_limit, read_number

blueprint = Blueprint("audit", __name__)


@blueprint.get("/api/audit")
@needs("memory:read")
def list_events() -> Response:
    """Newest first; `next` is the `before` of the page after this one."""
    limit = read_limit(request, default=50, most=200)
    before = read_number(request, "before", MAX_ID)
    with transaction() as connection:
        found = audit.list_of_user(connection, g.user_id, before=before, limit=limit + 1)
    return page_json(found, limit)


def page_json(found: list[AuditEvent], limit: int) -> Response:
    """The first `limit` events of `found`."""
    page = found[:limit]
    return jsonify(
        events=[event_json(event) for event in page],
        next=page[-1].event_id if len(found) > limit else None,
    )


def event_json(event: AuditEvent) -> dict[str, object]:
    """`actor_id` null: the site itself. `token_id` null: a session."""
    return {
        "event_id": event.event_id,
        "at": event.at.isoformat(),
        "user_id": event.user_id,
        "actor_id": event.actor_id,
        "action": event.action,
        "object": event.thing._asdict() if event.thing else None,
        "token_id": event.token_id,
        "request_id": event.request_id,
        "address": event.address,
    }
