"""The audit log of requests: who acts, and what was read.

Changes are recorded where they are made. Reads are recorded here, for each address that needs
`memory:read` or `operate`, once it has answered: who read what through which token, once an hour
for each process. So a page that asks every few seconds writes one row an hour.
"""

from __future__ import annotations

import logging

from flask import Response, current_app, g, request

from shared.access import audit
from shared.logs.context import current_fields
from shared.models import Action, Actor, Scope, Thing, UserId
from web.process.context import transaction, web_context
from web.requests.callers import Caller, scopes_of
from web.requests.client_address import client_address

logger = logging.getLogger(__name__)

# By the name of the view.
OWN_ACTIONS: dict[str, Action] = {
    "search": "memory.search",
    "export": "memory.export",
    "export_chat": "conversation.export",
    "print_chat": "conversation.export",
    "list_events": "audit.read",
    "list_all_events": "audit.read",
}
# Each export is noted, not one an hour.
ALWAYS: frozenset[Action] = frozenset({"memory.export", "conversation.export"})


def set_actor(caller: Caller | None) -> None:
    """Set who acts in the audit log from now on. None: nobody is signed in yet."""
    settings = web_context().services.settings
    audit.set_actor(
        Actor(
            user_id=caller.user_id if caller else None,
            token_id=caller.token_id if caller else None,
            request_id=str(current_fields().get("request_id", "")) or None,
            address=client_address(request, settings) if settings.audit_addresses else None,
        )
    )


def note_answer(response: Response) -> Response:
    """Record the read that was just answered."""
    view = current_app.view_functions.get(request.endpoint or "")
    is_read = request.method == "GET" and response.status_code < 400
    if "caller" in g and view is not None and is_read:
        action = _action_of(scopes_of(view) or frozenset())
        if action is not None:
            conversation_id = (request.view_args or {}).get("conversation_id")
            thing = Thing("conversation", str(conversation_id)) if conversation_id else None
            note_read(action, thing)
    return response


def note_read(action: Action, thing: Thing | None = None) -> None:
    """Record a read of the caller's own data, once an hour.

    Requests of other methods than GET call it themselves. A read is answered even if it cannot be
    recorded.
    """
    caller: Caller = g.caller
    read = (caller.user_id, caller.token_id, action, thing)
    noted = web_context().noted_reads
    if action not in ALWAYS and not noted.is_new(read):
        return
    if not _record(action, caller.user_id, thing):
        noted.forget(read)


def note_sign_in(user_id: UserId) -> None:
    """Record that a session of this user began. If that fails, the session begins all the same."""
    _record("session.begin", user_id, None)


def _record(action: Action, user_id: UserId, thing: Thing | None) -> bool:
    try:
        with transaction() as connection:
            audit.record(connection, action, user_id, thing, by=user_id)
    except Exception as exc:
        fields = {"action": action, "error": type(exc).__name__}
        logger.warning("audit.not_recorded", extra=fields)
        return False
    return True


def _action_of(scopes: frozenset[Scope]) -> Action | None:
    """What a GET of an address with these scopes reads. None: nothing of anybody's."""
    if not scopes & {"memory:read", "operate"}:
        return None
    name = (request.endpoint or "").rpartition(".")[2]
    if name in OWN_ACTIONS:
        return OWN_ACTIONS[name]
    if "operate" in scopes:
        return "operations.read"
    return "conversation.read" if "conversation_id" in (request.view_args or {}) else "memory.read"
