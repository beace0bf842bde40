"""A failed job is run again because its user asks: now, and not in the next round."""

from __future__ import annotations

from typing import get_args

from shared.db import PgConnection
from shared.derivations.claims import claim_kind
from shared.errors import JobInProgressError, NotFoundError, NothingToDoError
from shared.models import REMEMBERED, Conversation, ConversationId, Due, Kind, UserId
from shared.settings import Settings
from shared.store import conversations, messages
from shared.store.upkeep import jobs


def run_again(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    kind: Kind,
    settings: Settings,
) -> Due:
    """Claim anew, from the last completed job of that kind to the last closed round.

    Raises `NotFoundError`, `JobInProgressError` when one waits or runs, and `NothingToDoError`
    when a round would claim nothing either.
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
    """As when a round closes: a failed reply makes no memory, the words before it do."""
    if conversation.mode == "off" or conversation.last_sequence < 0:
        return False
    last = messages.get_message(
        connection, conversation.conversation_id, conversation.last_sequence
    )
    return kind == "facts" or last.status in REMEMBERED
