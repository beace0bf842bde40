"""Claiming jobs: a `processing` row for each kind that is due, in the caller's transaction.

The conversation is locked before a claim reads the watermark (the end of the last completed job).
Completing a job takes the same lock, so the watermark cannot move meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from shared.db import PgConnection
from shared.derivations.kinds import RECIPES
from shared.derivations.runner import ClaimRequest
from shared.guard import may_fail
from shared.models import REMEMBERED, ConversationId, Due, Kind, MessageStatus, Mode
from shared.models.job_kinds import DERIVATIONS
from shared.settings import Settings
from shared.store import conversations
from shared.store.lease import claims

#: What a round may make due.
ROUND_KINDS = tuple(d.kind for d in DERIVATIONS.values() if d.trigger != "day")


def due_kinds(mode: Mode, reply_status: MessageStatus, settings: Settings) -> tuple[Kind, ...]:
    """The kinds of jobs that the end of a round may claim.

    After a failed reply only the user's own words are read, for facts.
    """
    if mode == "off" or not settings.enable_memory:
        return ()
    is_remembered = reply_status in REMEMBERED
    return tuple(k for k in ROUND_KINDS if is_remembered or DERIVATIONS[k].trigger == "message")


def claim_due(
    connection: PgConnection,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
    kinds: Iterable[Kind] = ROUND_KINDS,
) -> list[Due]:
    """Claim a job of each kind of `kinds` that is due after a round and not in progress.

    The caller has locked the conversation. `last_saved` is the newest sequence number.
    """
    request = ClaimRequest(
        conversation_id=conversation_id,
        last_sequence=last_saved,
        settings=settings,
        occasion="round",
    )
    return claim_kinds(connection, request, kinds)


def claim_kinds(
    connection: PgConnection, request: ClaimRequest, kinds: Iterable[Kind]
) -> list[Due]:
    """Claim a job of each kind of `kinds` that is due and not in progress.

    If a claim fails, only this claim is rolled back, and the messages in the transaction are kept.
    The sweep claims again later.
    """
    due: list[Due] = []
    for kind in kinds:
        if job := may_fail(connection, f"claim_{kind}", partial(_claim, kind, request)):
            due.append(job)
    return due


def claim_backlog(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> list[Due]:
    """Claim jobs for older messages. They wait behind the jobs of live conversations.

    The caller has locked the conversation.
    """
    due = claim_due(connection, conversation_id, last_saved, settings)
    return [claims.put_in_backlog(connection, job) for job in due]


def claim_kind(
    connection: PgConnection,
    kind: Kind,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
) -> Due | None:
    """Claim a job of one kind that was asked for. None: none is due, or one is in progress."""
    conversations.lock_any_conversation(connection, conversation_id)
    request = ClaimRequest(
        conversation_id=conversation_id,
        last_sequence=last_saved,
        settings=settings,
        occasion="rerun",
    )
    return _claim(kind, request, connection)


def _claim(kind: Kind, request: ClaimRequest, connection: PgConnection) -> Due | None:
    return RECIPES[kind].claim(connection, request)
