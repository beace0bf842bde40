"""Runs a failed job again when the user asks for it."""

from __future__ import annotations

from typing import get_args

from shared.db import PgConnection
from shared.derivations.claims import claim_kind, due_kinds
from shared.errors import JobInProgressError, NotFoundError, NothingToDoError
from shared.models import ConversationId, Due, Kind, UserId
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
    """Claim a new job, from the end of the last completed job to the last closed round.

    Raises `NotFoundError`, `JobInProgressError` if a job waits or runs, and `NothingToDoError`
    if no job is due.
    """
    if kind not in get_args(Kind):
        raise NotFoundError
    conversation = conversations.lock_conversation(connection, user_id, conversation_id)
    if jobs.is_in_progress(connection, conversation_id, kind):
        raise JobInProgressError
    due = None
    last = conversation.last_sequence
    if last >= 0:
        status = messages.get_message(connection, conversation_id, last).status
        if kind in due_kinds(conversation.mode, status, settings):
            due = claim_kind(connection, kind, conversation_id, last, settings)
    if due is None:
        raise NothingToDoError
    return due
