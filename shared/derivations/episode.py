"""Consolidation: close a span of messages into an episode, then flush them from short-term memory.

Persist first, flush after: whatever fails, short-term memory has lost nothing that is not kept.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from shared.broker import send_due, send_embedding
from shared.db import PgConnection
from shared.derivations.claims import claim_rest
from shared.derivations.fallback import ask_stand_in
from shared.derivations.job_input import list_spoken
from shared.derivations.parts import add_up, ask_in_parts, with_input
from shared.derivations.work import Write, work_on
from shared.llm import ChatMessage, ModelRequest, ask_json
from shared.llm.schemas import EpisodeAnswer
from shared.models import Claim, Message, Usage
from shared.policy.episodes import join_concepts
from shared.policy.transcript import render_transcript, unescape
from shared.prompts import Prompt, load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, episodes, usage
from shared.store.lease.kinds import EPISODE

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Told:
    """An episode, and who told it; without a prompt's version it was the fallback."""

    summary: str
    key_concepts: Sequence[str]
    prompt_version: str | None
    usage: Usage


def write_episode(services: Services, episode_id: int) -> None:
    """Work on row `episode_id`, if nobody else does; then go on with the next span that is due."""
    claim = work_on(services, EPISODE, episode_id, _make, _fall_back)
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
    _go_on(services, claim)


def _make(services: Services, claim: Claim) -> Write:
    spoken = _read(services, claim)
    settings = services.settings
    if not spoken:
        return lambda connection: episodes.close_empty(connection, claim)
    prompt = load_prompt("episode")
    request = _request(prompt, settings)

    def ask(part: Sequence[Message]) -> tuple[EpisodeAnswer, Usage]:
        return ask_json(with_input(request, render_transcript(part)), EpisodeAnswer, settings)

    parts = ask_in_parts(request, spoken, ask, settings)
    told = Told(
        summary=unescape(" ".join(answer.summary for answer, _ in parts)),
        key_concepts=join_concepts([answer.key_concepts for answer, _ in parts]),
        prompt_version=prompt.version,
        usage=add_up([used for _, used in parts]),
    )
    return _write(claim, spoken, told)


def _fall_back(services: Services, claim: Claim) -> Write:
    spoken = _read(services, claim)
    request = with_input(
        _request(load_prompt("episode"), services.settings), render_transcript(spoken)
    )
    answer, used = ask_stand_in(request, EpisodeAnswer, services.settings)
    told = Told(
        summary=answer.summary, key_concepts=answer.key_concepts, prompt_version=None, usage=used
    )
    return _write(claim, spoken, told)


def _read(services: Services, claim: Claim) -> list[Message]:
    with services.database.transaction() as connection:
        return list_spoken(connection, claim.conversation_id, claim.span)


def _request(prompt: Prompt, settings: Settings) -> ModelRequest:
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=prompt.text),),
        purpose="episode",
        temperature=0.0,
        max_tokens=settings.episode_max_tokens,
    )


def _write(claim: Claim, spoken: list[Message], told: Told) -> Write:
    def write(connection: PgConnection) -> bool:
        written = episodes.complete_episode(
            connection,
            claim,
            summary=told.summary,
            key_concepts=told.key_concepts,
            started_at=min(message.created_at for message in spoken),
            ended_at=max(message.created_at for message in spoken),
            model=told.usage.model,
            prompt_version=told.prompt_version,
        )
        if written:
            usage.add_usage(connection, claim.conversation_id, "episode", told.usage)
        return written

    return write


def _go_on(services: Services, claim: Claim) -> None:
    """After an import or a long fault, more than one episode is due."""
    with services.database.transaction() as connection:
        conversation = conversations.get_any_conversation(connection, claim.conversation_id)
        due = claim_rest(
            connection, "episode", claim, conversation.last_sequence, services.settings
        )
    send_due(services.broker, [due] if due else [])
