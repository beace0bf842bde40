"""The sweep: resumes unfinished work. Two sweeps at once do no harm; beat repeats failed ones."""

from __future__ import annotations

import logging

from shared.broker import send_again, send_due, send_embedding
from shared.db import PgConnection
from shared.derivations.claims import claim_backlog, claim_due, claim_unread, episode_rule
from shared.derivations.embedding import is_anything_unembedded
from shared.derivations.model_check import resume_check
from shared.ephemeral.reply_log import ReplyLog
from shared.ephemeral.sweep_mark import note_sweep
from shared.events.announcements import announce, send_due_webhooks
from shared.maintenance.site_check import note_pulse
from shared.metrics.counters import SWEPT
from shared.models import Due, Outcome, ReplyAttempt, job_failed
from shared.policy.episodes import pending_to_be_due
from shared.rounds.closing import close_round
from shared.rounds.reply_faults import INTERRUPTED
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, episodes, events, messages, replies, summaries, titles
from shared.store.facts import extractions
from shared.store.lease import claims, overdue
from shared.store.lease.kinds import DERIVATIONS, Derivation
from shared.store.lease.lagging import LagFilter, Lagging
from shared.store.lease.overdue import Exhausted
from shared.store.replies import OpenReply
from shared.store.search import unfolded
from shared.user_data.erasure.tombstones import write_missing_tombstones

logger = logging.getLogger(__name__)

BATCH = 100
RECENT_S = 900  # the sweep checks conversations active in this time; the catch-up checks all
FAILED_PAUSE_S = 60  # before a failed job is claimed again; doubled with each failure
LONGEST_PAUSE_S = 600


def sweep(services: Services) -> None:
    """Close abandoned rounds, free overdue jobs, claim jobs for quiet conversations."""
    note_pulse(services)
    due = _close_abandoned(services) + _claim_lagging(services, RECENT_S)
    send_due(services.broker, due + _claim_unread(services, RECENT_S))
    send_again(services.broker, _free_overdue(services))
    _embed_missing(services)
    resume_check(services)
    _index_unfolded(services)
    send_due_webhooks(services)
    write_missing_tombstones(services)
    note_sweep(services.redis)


def catch_up(services: Services) -> None:
    """Claim jobs for all conversations that are behind, however long they have been quiet.

    These jobs wait in the backlog, behind those of live conversations.
    """
    send_due(services.broker, _claim_lagging(services, None) + _claim_unread(services, None))


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
        waiting = is_anything_unembedded(connection, services.settings)
    if waiting:
        send_embedding(services.broker)


def _index_unfolded(services: Services) -> None:
    """Index the words of some older chats again. Searches find these by their former spelling."""
    with services.database.upkeep() as connection:
        chats = unfolded.list_unfolded(connection, BATCH)
    for user_id, conversation_id in chats:
        with services.database.transaction(user=user_id) as connection:
            conversations.lock_any_conversation(connection, conversation_id)
            unfolded.index_again(connection, conversation_id)


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
    settings = services.settings
    if not settings.enable_memory:
        return []
    with services.database.upkeep() as connection:
        lagging = _list_lagging(connection, settings, within_s)
    claim = claim_backlog if within_s is None else claim_due
    claimed: list[Due] = []
    for user_id, conversation_id, last_sequence in lagging:
        with services.database.transaction(user=user_id) as connection:
            conversations.lock_any_conversation(connection, conversation_id)
            claimed += claim(connection, conversation_id, last_sequence, settings)
    SWEPT.labels(what="jobs_claimed").inc(len(claimed))
    return claimed


def _list_lagging(
    connection: PgConnection, settings: Settings, within_s: float | None
) -> set[Lagging]:
    lag_filter = _lag_filter(settings, within_s)
    due_from = settings.memory_summarize_after_seq
    pending = pending_to_be_due(episode_rule(settings))
    return {
        *summaries.list_lagging(connection, lag_filter, summarize_after=due_from),
        *episodes.list_lagging(connection, lag_filter, pending=pending),
        *titles.list_lagging(connection, lag_filter),
    }


def _claim_unread(services: Services, within_s: float | None) -> list[Due]:
    """Claim jobs for user messages that no extraction of facts has read.

    What one model gave no usable answer about is read again when memory has another one.
    """
    settings = services.models.settings()
    model = settings.effective_memory_model
    if not settings.enable_memory:
        return []
    with services.database.upkeep() as connection:
        lagging = extractions.list_lagging(connection, _lag_filter(settings, within_s), model)
    claimed: list[Due] = []
    for user_id, conversation_id, last_sequence in lagging:
        with services.database.transaction(user=user_id) as connection:
            due = claim_unread(connection, conversation_id, last_sequence, settings, not_by=model)
            if due:
                is_old = within_s is None
                claimed.append(claims.put_in_backlog(connection, due) if is_old else due)
    SWEPT.labels(what="jobs_claimed").inc(len(claimed))
    return claimed


def _lag_filter(settings: Settings, within_s: float | None) -> LagFilter:
    return LagFilter(
        quiet_s=2 * settings.sweep_every_s,
        within_s=within_s,
        pause_s=FAILED_PAUSE_S,
        longest_pause_s=LONGEST_PAUSE_S,
        limit=BATCH,
    )
