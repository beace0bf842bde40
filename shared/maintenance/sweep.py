"""The sweep: resumes unfinished work. Two sweeps at once do no harm; beat repeats failed ones."""

from __future__ import annotations

import logging
import time
from typing import Any

from shared.broker.sending import send_again, send_due, send_embedding
from shared.db import PgConnection
from shared.derivations.claims import claim_kinds
from shared.derivations.kinds import RECIPES
from shared.derivations.model_check import resume_check
from shared.derivations.runner import ClaimRequest, Recipe
from shared.ephemeral.reply_log import ReplyLog
from shared.ephemeral.sweep_mark import note_sweep
from shared.events.announcements import announce, send_due_webhooks
from shared.maintenance.site_check import note_pulse
from shared.metrics.counters import SWEPT
from shared.models import Due, Outcome, ReplyAttempt, job_failed
from shared.models.job_kinds import DERIVATIONS, Derivation
from shared.rounds.closing import close_round
from shared.rounds.reply_faults import INTERRUPTED
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, events, messages, replies
from shared.store.lease import claims, overdue
from shared.store.lease.lagging import LagFilter, list_lagging
from shared.store.lease.overdue import Exhausted
from shared.store.replies import OpenReply
from shared.store.search import unfolded
from shared.store.search.unembedded import find_waiting
from shared.user_data.erasure.tombstones import write_missing_tombstones

logger = logging.getLogger(__name__)

BATCH = 100
RECENT_S = 900  # the sweep checks conversations active in this time; the catch-up checks all
FAILED_PAUSE_S = 60  # before a failed job is claimed again; doubled with each failure
LONGEST_PAUSE_S = 600
INDEXING_S = 5.0  # of a sweep, after which the next one goes on


def sweep(services: Services) -> None:
    """Close abandoned rounds, free overdue jobs, claim jobs for quiet conversations."""
    note_pulse(services)
    send_due(services.broker, _close_abandoned(services) + _claim_lagging(services, RECENT_S))
    send_again(services.broker, _free_overdue(services))
    _embed_missing(services)
    resume_check(services)
    send_due_webhooks(services)
    write_missing_tombstones(services)
    _index_unfolded(services)
    note_sweep(services.redis)


def catch_up(services: Services) -> None:
    """Claim jobs for all conversations that are behind, however long they have been quiet.

    These jobs wait in the backlog, behind those of live conversations.
    """
    send_due(services.broker, _claim_lagging(services, None))


def _close_abandoned(services: Services) -> list[Due]:
    """Close the rounds whose web process is gone, and keep the written text."""
    with services.database.upkeep() as connection:
        abandoned = replies.list_abandoned_rounds(connection, BATCH)
    return [due for reply in abandoned for due in _close(services, reply)]


def _close(services: Services, reply: OpenReply) -> list[Due]:
    attempt = ReplyAttempt(reply.conversation_id, reply.sequence_number, reply.fencing_token)
    text = ReplyLog(services.redis, attempt).whole_text()
    with services.database.transaction(user=reply.user_id) as connection:
        due = close_round(connection, attempt, _end(connection, attempt, text), services.settings)
    if due is None:
        return []  # another sweep was quicker, or the conversation is gone
    SWEPT.labels(what="rounds_closed").inc()
    fields = {"conversation_id": reply.conversation_id, "sequence": reply.sequence_number}
    logger.warning("round.abandoned", extra=fields)
    return due


def _end(connection: PgConnection, attempt: ReplyAttempt, text: str) -> Outcome:
    """The end of an abandoned reply, with what Redis or else Postgres has of its text."""
    if not text:
        message = messages.find_message(connection, attempt.conversation_id, attempt.sequence)
        text = message.content if message else ""
    return Outcome(
        status="partial" if text else "failed",
        finish_reason="error",
        content=text,
        error=INTERRUPTED.message,
    )


def _embed_missing(services: Services) -> None:
    """Send a task for texts without a vector, such as those written without a broker."""
    with services.database.upkeep() as connection:
        waiting = any(find_waiting(connection))
    if waiting:
        send_embedding(services.broker)


def _index_unfolded(services: Services) -> None:
    """Index some words of older chats again. Searches find these by their former spelling."""
    end = time.monotonic() + INDEXING_S
    with services.database.upkeep() as connection:
        chats = unfolded.list_unfolded(connection, BATCH)
    for user_id, conversation_id in chats:
        if time.monotonic() > end:
            break
        with services.database.transaction(user=user_id) as connection:
            conversations.lock_any_conversation(connection, conversation_id)
            unfolded.index_again(connection, conversation_id, BATCH)


def _free_overdue(services: Services) -> list[Due]:
    settings = services.settings
    due: list[Due] = []
    for derivation in DERIVATIONS.values():
        with services.database.upkeep() as connection:
            failed = _fail_exhausted(connection, derivation, services.max_attempts)
            due += overdue.take_overdue(
                connection, derivation, grace_s=settings.dispatch_grace_s, limit=BATCH
            )
        for user_id, _, job_id in failed:
            logger.error("job.worn_out", extra={"kind": derivation.kind, "job_id": job_id})
            announce(services, user_id)
        SWEPT.labels(what="jobs_given_up").inc(len(failed))
    SWEPT.labels(what="jobs_sent_again").inc(len(due))
    return due


def _fail_exhausted(
    connection: PgConnection, derivation: Derivation, max_attempts: int
) -> list[Exhausted]:
    """Sorted by user, so that two sweeps take the locks of `add_event` in the same order."""
    failed = overdue.fail_exhausted(connection, derivation, max_attempts=max_attempts, limit=BATCH)
    for user_id, conversation_id, job_id in failed:
        new = job_failed(derivation.kind, job_id, conversation_id)
        events.add_event(connection, user_id, new)
    return failed


def _claim_lagging(services: Services, within_s: float | None) -> list[Due]:
    """Claim jobs for quiet conversations. Active conversations claim in their next round."""
    settings = services.models.settings()
    claimed: list[Due] = []
    for recipe in RECIPES.values() if settings.enable_memory else ():
        claimed += _claim_lagging_of(services, recipe, settings, within_s)
    SWEPT.labels(what="jobs_claimed").inc(len(claimed))
    return claimed


def _claim_lagging_of(
    services: Services, recipe: Recipe[Any], settings: Settings, within_s: float | None
) -> list[Due]:
    if recipe.lag is None:
        return []
    lag_filter, arguments = _lag_filter(settings, within_s), recipe.lag.arguments(settings)
    with services.database.upkeep() as connection:
        lagging = list_lagging(connection, recipe.lag.rule, lag_filter, **arguments)
    claimed: list[Due] = []
    for user_id, conversation_id, last_sequence in lagging:
        request = ClaimRequest(
            conversation_id=conversation_id,
            last_sequence=last_sequence,
            settings=settings,
            occasion="sweep",
        )
        with services.database.transaction(user=user_id) as connection:
            conversations.lock_any_conversation(connection, conversation_id)
            due = claim_kinds(connection, request, [recipe.derivation.kind])
            is_old = within_s is None
            claimed += [claims.put_in_backlog(connection, job) if is_old else job for job in due]
    return claimed


def _lag_filter(settings: Settings, within_s: float | None) -> LagFilter:
    return LagFilter(
        quiet_s=2 * settings.sweep_every_s,
        within_s=within_s,
        pause_s=FAILED_PAUSE_S,
        longest_pause_s=LONGEST_PAUSE_S,
        limit=BATCH,
    )
