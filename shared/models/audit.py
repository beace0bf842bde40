"""Events of the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from shared.models.ids import UserId

#: What was done. Reads are noted once an hour.
Action = Literal[
    "session.begin",
    "session.end",
    "session.end_all",
    "session.refuse",
    "account.create",
    "account.change",
    "account.disable",
    "account.enable",
    "account.delete",
    "account.invite",
    "password.change",
    "password.link",
    "password.reset",
    "second_factor.on",
    "second_factor.off",
    "second_factor.recover",
    "token.create",
    "token.revoke",
    "program.allow",
    "program.end",
    "webhook.create",
    "webhook.change",
    "webhook.delete",
    "attachment.delete",
    "persona.create",
    "persona.change",
    "persona.delete",
    "prompt.create",
    "prompt.change",
    "prompt.delete",
    "project.create",
    "project.change",
    "project.delete",
    "model.create",
    "model.change",
    "model.delete",
    "memory.read",
    "memory.search",
    "memory.export",
    "memory.import",
    "conversation.branch",
    "conversation.read",
    "conversation.export",
    "conversation.change",
    "conversation.delete",
    "share.create",
    "share.revoke",
    "message.change",
    "message.delete",
    "episode.delete",
    "fact.create",
    "fact.change",
    "fact.delete",
    "suggestion.confirm",
    "suggestion.dismiss",
    "job.run",
    "user.delete",
    "operations.read",
    "audit.read",
]
ObjectKind = Literal[
    "attachment",
    "conversation",
    "episode",
    "fact",
    "import",
    "job",
    "message",
    "model",
    "persona",
    "program",
    "prompt",
    "share",
    "suggestion",
    "token",
    "webhook",
]


class Thing(NamedTuple):
    """What an action was done to. `object_id` is an id, never text."""

    kind: ObjectKind
    object_id: str


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who sends a request, and how. Its fields are the same in all events of the request."""

    #: None: nobody is signed in yet.
    user_id: UserId | None = None
    #: The API token that was shown. None: a session.
    token_id: int | None = None
    request_id: str | None = None
    #: The client's address, if the settings ask for it.
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """A row of `audit_events`."""

    event_id: int
    at: datetime
    #: Whose data it was.
    user_id: UserId
    #: None: the site itself did it.
    actor_id: UserId | None
    action: str
    thing: Thing | None
    token_id: int | None
    request_id: str | None
    address: str | None
