"""Claiming jobs: a `processing` row for each kind that is due, in the caller's transaction.

The conversation is locked before a claim reads the watermark (the end of the last completed job).
Completing a job takes the same lock, so the watermark cannot move meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from shared.db import PgConnection
from shared.guard import may_fail
from shared.models import REMEMBERED, Claim, ConversationId, Due, Kind, MessageStatus, Mode
from shared.policy import window
from shared.policy.episodes import EpisodeRule, episode_span, hole_span
from shared.policy.titles import title_span
from shared.settings import Settings
from shared.store import conversations, episodes, summaries, tidyings, titles
from shared.store.facts import extractions
from shared.store.lease import claims

#: What a round may make due. A tidying is due by day, after a job of facts.
ROUND_KINDS: tuple[Kind, ...] = ("summary", "episode", "facts", "title")
TIDYING_PAUSE_S = 86_400


def due_kinds(mode: Mode, reply_status: MessageStatus, settings: Settings) -> tuple[Kind, ...]:
    """The kinds of jobs that the end of a round may claim.

    After a failed reply only the user's own words are read, for facts.
    """
    if mode == "off" or not settings.enable_memory:
        return ()
    return ROUND_KINDS if reply_status in REMEMBERED else ("facts",)


def claim_due(
    connection: PgConnection,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
    kinds: Iterable[Kind] = ROUND_KINDS,
) -> list[Due]:
    """Claim a job of each kind of `kinds` that is due and not in progress.

    The caller has locked the conversation. `last_saved` is the newest sequence number. If a claim
    fails, only this claim is rolled back, and the messages in the transaction are kept. The sweep
    claims again later.
    """
    due: list[Due] = []
    for kind in kinds:
        claim = partial(
            _claim_summary_when_needed if kind == "summary" else _CLAIMS[kind],
            conversation_id=conversation_id,
            last_saved=last_saved,
            settings=settings,
        )
        if job := may_fail(connection, f"claim_{kind}", claim):
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


def claim_rest(
    connection: PgConnection, kind: Kind, after: Claim, last_saved: int, settings: Settings
) -> Due | None:
    """Claim what the finished job `after` has left, in the backlog if `after` was there.

    The caller has locked the conversation.
    """
    due = _CLAIMS[kind](connection, after.conversation_id, last_saved, settings)
    return claims.put_in_backlog(connection, due) if due and after.in_backlog else due


def claim_kind(
    connection: PgConnection,
    kind: Kind,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
) -> Due | None:
    """Claim a job of one kind. None: no job is due, or a job is in progress."""
    conversations.lock_any_conversation(connection, conversation_id)
    return _CLAIMS[kind](connection, conversation_id, last_saved, settings)


def claim_unread(
    connection: PgConnection,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
    *,
    not_by: str = "",
) -> Due | None:
    """Claim a job of facts that also reads what a model other than `not_by` could not read.

    "" stands for no model: the job reads all messages that no model could read.
    """
    conversations.lock_any_conversation(connection, conversation_id)
    return _claim_facts(connection, conversation_id, last_saved, settings, not_by=not_by)


def claim_tidying_of_day(connection: PgConnection, after: Claim, settings: Settings) -> Due | None:
    """Claim a tidying when a job of facts is done and none was claimed for a day."""
    if not tidyings.is_due(connection, after.user_id, TIDYING_PAUSE_S):
        return None
    due = tidyings.claim_tidying(connection, after.user_id, settings.dispatch_grace_s)
    return claims.put_in_backlog(connection, due) if due and after.in_backlog else due


def _claim_summary(
    connection: PgConnection,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
    *,
    may_wait: bool = False,
) -> Due | None:
    if not window.summary_due(last_saved, settings.memory_summarize_after_seq):
        return None
    span = window.summary_span(last_saved, settings.memory_rolling_window_size)
    grace_s = settings.dispatch_grace_s
    return summaries.claim_summary(connection, conversation_id, span, grace_s, may_wait=may_wait)


def _claim_summary_when_needed(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    """Without `RECENT_TOKENS` a prompt has no turns but those that no summary covers."""
    may_wait = settings.recent_tokens > 0
    return _claim_summary(connection, conversation_id, last_saved, settings, may_wait=may_wait)


def _claim_episode(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    """Claim the next due span. A hole between two episodes, left by a deletion, comes first."""
    first, before = episodes.find_pending(connection, conversation_id)
    rule = episode_rule(settings)
    span = hole_span(first, before, rule) if before else episode_span(first, last_saved, rule)
    if span is None:
        return None
    return episodes.claim_episode(connection, conversation_id, span, settings.dispatch_grace_s)


def _claim_facts(
    connection: PgConnection,
    conversation_id: ConversationId,
    last_saved: int,
    settings: Settings,
    *,
    not_by: str | None = None,
) -> Due | None:
    """Claim messages up to the newest user message, even if its reply failed."""
    return extractions.claim_extraction(
        connection,
        conversation_id,
        last_saved - last_saved % 2,
        settings.dispatch_grace_s,
        not_by=not_by,
    )


def _claim_title(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    span = title_span(last_saved)
    return titles.claim_title(connection, conversation_id, span, settings.dispatch_grace_s)


def episode_rule(settings: Settings) -> EpisodeRule:
    return EpisodeRule(
        trigger=settings.episode_trigger_turns,
        keep=settings.episode_trigger_turns // 2,
        window_limit=settings.memory_window_limit,
    )


class _ClaimOfKind(Protocol):
    def __call__(
        self,
        connection: PgConnection,
        conversation_id: ConversationId,
        last_saved: int,
        settings: Settings,
    ) -> Due | None: ...


_CLAIMS: dict[Kind, _ClaimOfKind] = {
    "summary": _claim_summary,
    "episode": _claim_episode,
    "facts": _claim_facts,
    "title": _claim_title,
}
