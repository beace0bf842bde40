"""Consolidation: close a span of messages into an episode, then flush them from short-term memory.

Persist first, flush after: whatever fails, short-term memory has lost nothing that is not kept.
"""

from __future__ import annotations

import logging

from shared.broker import send_due, send_embedding
from shared.db import PgConnection
from shared.derivations.claiming import claim_rest
from shared.derivations.spoken import list_spoken
from shared.derivations.work import Write, work_on
from shared.errors import ModelOutputError
from shared.llm import ChatMessage, ModelRequest, Usage, ask_json
from shared.llm.schemas import EpisodeAnswer
from shared.models import Claim, Message
from shared.policy.text import storable
from shared.policy.transcript import render_transcript
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, episodes, usage
from shared.store.lease.kinds import EPISODE

logger = logging.getLogger(__name__)

MAX_RAW_CHARS = 2000  # of an answer that is no JSON and is kept as the summary


def write_episode(services: Services, episode_id: int) -> None:
    """Work on row `episode_id`, if nobody else does; then go on with the next span that is due."""
    claim = work_on(services, EPISODE, episode_id, _make)
    if claim is None:
        return
    services.short_term.flush_turns(claim.conversation_id, claim.span.end)
    logger.info(
        "Closed messages %s-%s of %s", claim.span.start, claim.span.end, claim.conversation_id
    )
    send_embedding(services.broker)
    _go_on(services, claim)


def _make(services: Services, claim: Claim) -> Write:
    with services.database.transaction() as connection:
        spoken = list_spoken(connection, claim.conversation_id, claim.span)
    prompt = load_prompt("episode")
    answer, used = _ask(prompt.text, spoken, services.settings)

    def write(connection: PgConnection) -> bool:
        written = episodes.complete_episode(
            connection,
            claim,
            summary=answer.summary,
            key_concepts=answer.key_concepts,
            started_at=min(message.created_at for message in spoken),
            ended_at=max(message.created_at for message in spoken),
            model=used.model,
            prompt_version=prompt.version,
        )
        if written:
            usage.add_usage(connection, claim.conversation_id, "episode", used)
        return written

    return write


def _ask(
    instructions: str, spoken: list[Message], settings: Settings
) -> tuple[EpisodeAnswer, Usage]:
    """An answer that is twice no JSON is kept as the summary, without concepts."""
    request = ModelRequest(
        model=settings.effective_memory_model,
        messages=(
            ChatMessage(role="system", content=instructions),
            ChatMessage(role="user", content=render_transcript(spoken)),
        ),
        purpose="episode",
        temperature=0.0,
        max_tokens=settings.episode_max_tokens,
    )
    try:
        return ask_json(request, EpisodeAnswer, settings)
    except ModelOutputError as exc:
        summary = storable(" ".join(exc.raw_text.split()))[:MAX_RAW_CHARS]
        answer = EpisodeAnswer(summary=summary, key_concepts=[])
        return answer, Usage(tokens_in=0, tokens_out=0, model=request.model)


def _go_on(services: Services, claim: Claim) -> None:
    """After an import or a long fault, more than one episode is due."""
    with services.database.transaction() as connection:
        conversation = conversations.get_any_conversation(connection, claim.conversation_id)
        due = claim_rest(
            connection, "episode", claim, conversation.last_sequence, services.settings
        )
    send_due(services.broker, [due] if due else [])
