"""Consolidation: close a span of messages into an episode, then drop them from short-term memory.

The episode is written first. If anything fails, short-term memory still has its turns.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from shared.broker.sending import send_embedding
from shared.db import PgConnection
from shared.derivations.fallback import ask_stand_in
from shared.derivations.messages import read_span
from shared.derivations.parts import PartwiseJob, sum_usage
from shared.derivations.request import memory_request, with_input
from shared.derivations.runner import ClaimRequest, LagQuery, Recipe
from shared.llm.schemas import EpisodeAnswer
from shared.models import Claim, Due, Message, Usage, episode_closed
from shared.models.job_kinds import EPISODE
from shared.policy.episodes import (
    EpisodeRule,
    episode_span,
    hole_span,
    join_concepts,
    pending_to_be_due,
)
from shared.policy.escaping import unescape
from shared.policy.transcript import render_transcript
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import episodes, events, usage
from shared.store.episodes import NewEpisode
from shared.store.lease import claims

logger = logging.getLogger(__name__)

WRITTEN_SHARE = 0.1  # how long an answer is beside its messages


@dataclass(frozen=True, kw_only=True)
class MadeEpisode:
    new: NewEpisode
    usage: Usage


def episode_rule(settings: Settings) -> EpisodeRule:
    return EpisodeRule(
        trigger=settings.episode_trigger_turns,
        keep=settings.episode_trigger_turns // 2,
        window_limit=settings.memory_window_limit,
    )


def _claim(connection: PgConnection, request: ClaimRequest) -> Due | None:
    """Claim the next due span. A hole between two episodes, left by a deletion, comes first."""
    first, before = episodes.find_pending(connection, request.conversation_id)
    rule = episode_rule(request.settings)
    span = (
        hole_span(first, before, rule)
        if before
        else episode_span(first, request.last_sequence, rule)
    )
    if span is None:
        return None
    return claims.claim(
        connection, EPISODE, request.conversation_id, span, request.settings.dispatch_grace_s
    )


def _make(services: Services, claim: Claim) -> MadeEpisode | None:
    """None: all messages of the span were deleted."""
    messages = read_span(services, claim)
    if not messages:
        return None
    settings = services.models.settings()
    job = PartwiseJob(
        services=services,
        derivation=EPISODE,
        claim=claim,
        form=EpisodeAnswer,
        request=memory_request("episode", settings),
        render=render_transcript,
        written_share=WRITTEN_SHARE,
    )
    parts = job.read(messages, settings)
    answers = [part.answer for part in parts]
    used = sum_usage([part.usage for part in parts])
    summary = unescape(" ".join(answer.summary for answer in answers))
    concepts = join_concepts([answer.key_concepts for answer in answers])
    return _episode_of(messages, summary, concepts, used, load_prompt("episode").version)


def _fall_back(services: Services, claim: Claim) -> MadeEpisode | None:
    messages = read_span(services, claim)
    if not messages:
        return None  # deleted since the model was asked
    request = with_input(memory_request("episode", services.settings), render_transcript(messages))
    answer, used = ask_stand_in(request, EpisodeAnswer, services.settings)
    return _episode_of(messages, answer.summary, answer.key_concepts, used, None)


def _episode_of(
    messages: Sequence[Message],
    summary: str,
    concepts: Sequence[str],
    used: Usage,
    prompt_version: str | None,
) -> MadeEpisode:
    times = [message.created_at for message in messages]
    new = NewEpisode(
        summary=summary,
        key_concepts=concepts,
        started_at=min(times),
        ended_at=max(times),
        model=used.model,
        prompt_version=prompt_version,
    )
    return MadeEpisode(new=new, usage=used)


def _write(connection: PgConnection, claim: Claim, product: MadeEpisode | None) -> bool:
    if product is None:
        return episodes.close_empty(connection, claim)
    is_written = episodes.complete_episode(connection, claim, product.new)
    if is_written:
        usage.add_usage(connection, claim.conversation_id, "episode", product.usage)
        closed = episode_closed(claim.job_id, claim.conversation_id, claim.span)
        events.add_event(connection, claim.user_id, closed)
    return is_written


def _drop_turns(services: Services, claim: Claim, _: float) -> None:
    services.short_term.flush_turns(claim.conversation_id, claim.span.end)
    fields = {
        "conversation_id": claim.conversation_id,
        "start": claim.span.start,
        "end": claim.span.end,
    }
    logger.info("episode.written", extra=fields)
    send_embedding(services.broker)


RECIPE = Recipe(
    derivation=EPISODE,
    claim=_claim,
    lag=LagQuery(
        rule=episodes.LAG_RULE,
        arguments=lambda settings: {"pending": pending_to_be_due(episode_rule(settings))},
    ),
    make=_make,
    fall_back=_fall_back,
    write=_write,
    adds_events=True,
    after=_drop_turns,
    leaves_rest=True,  # after an import or a long fault several episodes are due
)
