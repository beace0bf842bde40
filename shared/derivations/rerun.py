"""Running a failed job again at once, because its user asks for it."""

from __future__ import annotations

from typing import get_args

from shared.db import PgConnection
from shared.derivations.claims import claim_kind
from shared.errors import JobInProgressError, NotFoundError, NothingToDoError
from shared.models import REMEMBERED, Conversation, ConversationId, Due, Kind, UserId
from shared.settings import Settings
from shared.store import conversations, messages
from shared.store.upkeep import jobs


def rerun_job(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    kind: Kind,
    settings: Settings,
) -> Due:
    """Claim a new job, from the end of the last completed one to the last closed round.

    Raises `NotFoundError`, `JobInProgressError` when one waits or runs, and `NothingToDoError`
    when the end of a round would claim nothing either.
    """
    if kind not in get_args(Kind):
        raise NotFoundError
    conversation = conversations.lock_conversation(connection, user_id, conversation_id)
    if jobs.is_in_progress(connection, conversation_id, kind):
        raise JobInProgressError
    due = None
    if settings.enable_memory and _may_be_read(connection, conversation, kind):
        due = claim_kind(connection, kind, conversation_id, conversation.last_sequence, settings)
    if due is None:
        raise NothingToDoError
    return due


def _may_be_read(connection: PgConnection, conversation: Conversation, kind: Kind) -> bool:
    """As at the end of a round: after a failed reply only the user's words are read, for facts."""
    if conversation.mode == "off" or conversation.last_sequence < 0:
        return False
    last = messages.get_message(
        connection, conversation.conversation_id, conversation.last_sequence
    )
    return kind == "facts" or last.status in REMEMBERED
