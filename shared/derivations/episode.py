"""Consolidation: close a span of messages into an episode, then drop them from short-term memory.

The episode is written first. If anything fails, short-term memory still has its turns.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from shared.broker import send_due, send_embedding
from shared.db import PgConnection
from shared.derivations.claims import claim_rest
from shared.derivations.fallback import ask_stand_in
from shared.derivations.messages import read_messages
from shared.derivations.parts import PartwiseJob, sum_usage
from shared.derivations.request import memory_request, with_input
from shared.derivations.runner import Recipe, run_job
from shared.llm.schemas import EpisodeAnswer
from shared.models import Claim, Message, Usage, episode_closed
from shared.policy.episodes import join_concepts
from shared.policy.escaping import unescape
from shared.policy.transcript import render_transcript
from shared.prompts import load_prompt
from shared.services import Services
from shared.store import conversations, episodes, events, usage
from shared.store.episodes import NewEpisode
from shared.store.lease.kinds import EPISODE

logger = logging.getLogger(__name__)

WRITTEN_SHARE = 0.1  # how long an answer is beside its messages


@dataclass(frozen=True, kw_only=True)
class MadeEpisode:
    new: NewEpisode
    usage: Usage


def write_episode(services: Services, episode_id: int) -> None:
    """Work on row `episode_id` of `episodic_memory`, unless it is done or runs elsewhere.

    If another span is due afterwards, it is claimed at once.
    """
    claim = run_job(services, RECIPE, episode_id)
    if claim is None:
        return
    services.short_term.flush_turns(claim.conversation_id, claim.span.end)
    fields = {
        "conversation_id": claim.conversation_id,
        "start": claim.span.start,
        "end": claim.span.end,
    }
    logger.info("episode.written", extra=fields)
    send_embedding(services.broker)
    _claim_next(services, claim)


def _make(services: Services, claim: Claim) -> MadeEpisode | None:
    """None: all messages of the span were deleted."""
    messages = _read(services, claim)
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
    return MadeEpisode(
        new=NewEpisode(
            summary=unescape(" ".join(answer.summary for answer in answers)),
            key_concepts=join_concepts([answer.key_concepts for answer in answers]),
            started_at=min(message.created_at for message in messages),
            ended_at=max(message.created_at for message in messages),
            model=used.model,
            prompt_version=load_prompt("episode").version,
        ),
        usage=used,
    )


def _fall_back(services: Services, claim: Claim) -> MadeEpisode | None:
    messages = _read(services, claim)
    if not messages:
        return None  # deleted since the model was asked
    request = with_input(memory_request("episode", services.settings), render_transcript(messages))
    answer, used = ask_stand_in(request, EpisodeAnswer, services.settings)
    return MadeEpisode(
        new=NewEpisode(
            summary=answer.summary,
            key_concepts=answer.key_concepts,
            started_at=min(message.created_at for message in messages),
            ended_at=max(message.created_at for message in messages),
            model=used.model,
            prompt_version=None,
        ),
        usage=used,
    )


def _read(services: Services, claim: Claim) -> list[Message]:
    patterns = services.settings.own_secrets
    with services.database.transaction(user=claim.user_id) as connection:
        return read_messages(connection, claim.conversation_id, claim.span, patterns)


def _write(connection: PgConnection, claim: Claim, product: MadeEpisode | None) -> bool:
    if product is None:
        return episodes.close_empty(connection, claim)
    is_written = episodes.complete_episode(connection, claim, product.new)
    if is_written:
        usage.add_usage(connection, claim.conversation_id, "episode", product.usage)
        closed = episode_closed(claim.job_id, claim.conversation_id, claim.span)
        events.add_event(connection, claim.user_id, closed)
    return is_written


def _claim_next(services: Services, claim: Claim) -> None:
    """Claim the next episode: after an import or a long fault several episodes are due."""
    with services.database.transaction(user=claim.user_id) as connection:
        conversation = conversations.lock_any_conversation(connection, claim.conversation_id)
        if conversation is None:
            return  # deleted meanwhile
        due = claim_rest(
            connection, "episode", claim, conversation.last_sequence, services.settings
        )
    send_due(services.broker, [due] if due else [])


RECIPE = Recipe(
    derivation=EPISODE, make=_make, fall_back=_fall_back, write=_write, adds_events=True
)
