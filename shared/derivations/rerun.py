"""Runs a failed job again, or reads again what no model could read, when the user asks for it."""

from __future__ import annotations

from shared.db import PgConnection
from shared.derivations.claims import claim_kind, due_kinds
from shared.errors import JobInProgressError, NotFoundError, NothingToDoError
from shared.models import ConversationId, Due, Kind, UserId
from shared.models.job_kinds import DERIVATIONS
from shared.settings import Settings
from shared.store import conversations, messages, tidyings
from shared.store.upkeep import jobs


def rerun_job(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    kind: Kind,
    settings: Settings,
) -> Due:
    """Claim a new job, from the end of the last completed job to the last closed round.

    One of facts also reads the messages that no model could read.
    Raises `NotFoundError`, `JobInProgressError` if a job waits or runs, and `NothingToDoError`
    if no job is due.
    """
    if kind not in DERIVATIONS:
        raise NotFoundError
    conversation = conversations.lock_conversation(connection, user_id, conversation_id)
    if jobs.is_in_progress(connection, conversation_id, kind):
        raise JobInProgressError
    due = None
    last = conversation.last_sequence
    if last >= 0:
        status = messages.get_message(connection, conversation_id, last).status
        kinds = due_kinds(conversation.mode, status, settings)
        if kind in kinds or (settings.enable_memory and DERIVATIONS[kind].trigger == "day"):
            due = claim_kind(connection, kind, conversation_id, last, settings)
    if due is None:
        raise NothingToDoError
    return due


def tidy_now(connection: PgConnection, user_id: UserId, settings: Settings) -> Due:
    """Claim a tidying because its user asks for it.

    Raises `JobInProgressError`, and `NothingToDoError` if the user has said nothing yet.
    """
    newest = tidyings.find_newest(connection, user_id)
    if newest and newest.finished_at is None:
        raise JobInProgressError
    due = None
    if settings.enable_memory:
        due = tidyings.claim_tidying(connection, user_id, settings.dispatch_grace_s)
    if due is None:
        raise NothingToDoError
    return due
