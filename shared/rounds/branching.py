"""Opens a branch: a conversation that begins as another one and goes on in other words.

docs/decisions says how memory sees branches.
"""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import AlreadySentError, ConflictError, KeyReusedError, NotFoundError
from shared.models import ConversationId, OpenRound, Thing, conversation_branched
from shared.policy.branches import parent_of_branch
from shared.rounds.requests import BranchRequest
from shared.settings import Settings
from shared.store import attachments, branches, conversations, events, messages, users

MAX_BRANCHES = 100  # of one conversation and its branches


def open_branch(connection: PgConnection, new: BranchRequest, settings: Settings) -> OpenRound:
    """Copy what was said before the message, then open a round with the new one.

    Raises `NotFoundError`, `ConflictError` for too many branches, and `AlreadySentError` or
    `KeyReusedError` for a known idempotency key.
    """
    sender = users.count_turn(connection, new.user_id)  # locks the user
    _check_unsent(connection, new)
    if new.time_zone is not None:
        users.keep_time_zone(connection, new.user_id, new.time_zone)
    parent = _lock_parent(connection, new)
    branch = branches.add_branch(connection, parent, new.sequence)
    branches.copy_derived(connection, parent, branch, new.sequence)
    added = messages.NewRound(
        conversation_id=branch,
        sequence=new.sequence,
        content=new.text,
        idempotency_key=new.idempotency_key,
        lease_s=settings.lease_s,
    )
    message, token = messages.add_round(connection, added)
    attachments.copy_attachments(connection, parent, branch, new.sequence)
    thing = Thing("conversation", branch)
    record(connection, "conversation.branch", new.user_id, thing)
    event = conversation_branched(branch, new.conversation_id, new.sequence)
    events.add_event(connection, new.user_id, event)
    return OpenRound(
        conversation=conversations.get_conversation(connection, new.user_id, branch),
        user_message=message,
        sequence=new.sequence + 1,
        fencing_token=token,
        time_zone=new.time_zone or sender.time_zone,
    )


def _lock_parent(connection: PgConnection, new: BranchRequest) -> ConversationId:
    """The conversation whose own messages the branch leaves. It is the named one, or above it."""
    conversation = conversations.lock_conversation(connection, new.user_id, new.conversation_id)
    message = messages.get_message(connection, conversation.conversation_id, new.sequence)
    if message.role != "user":
        raise NotFoundError("There is no such message of yours.")
    family = branches.list_family(connection, conversation.conversation_id)
    if len(family) >= MAX_BRANCHES:
        raise ConflictError("This conversation has too many branches already.")
    parent = parent_of_branch(family, conversation.conversation_id, new.sequence)
    if parent.conversation_id != conversation.conversation_id:
        conversations.lock_conversation(connection, new.user_id, parent.conversation_id)
    return parent.conversation_id


def _check_unsent(connection: PgConnection, new: BranchRequest) -> None:
    if new.idempotency_key is None:
        return
    message = messages.find_sent(connection, new.user_id, new.idempotency_key)
    if message is None:
        return
    if message.content != new.text or message.sequence_number != new.sequence:
        raise KeyReusedError
    if not _is_branch_of(connection, message.conversation_id, new.conversation_id):
        raise KeyReusedError
    raise AlreadySentError(message.conversation_id, message.sequence_number + 1)


def _is_branch_of(
    connection: PgConnection, branch: ConversationId, conversation_id: ConversationId
) -> bool:
    family = {
        member.conversation_id for member in branches.list_family(connection, conversation_id)
    }
    return branch in family and branch != conversation_id
