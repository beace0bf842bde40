"""Facts: what the user said of themself since the last extraction, into the record."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from shared.broker import send_due
from shared.db import PgConnection
from shared.derivations.claiming import claim_rest
from shared.derivations.work import Write, work_on
from shared.errors import ModelOutputError, NotFoundError
from shared.facts.learning import learn
from shared.llm import ChatMessage, ModelRequest, Usage, ask_json
from shared.llm.schemas import FactsAnswer
from shared.models import Claim, Conversation, Due, Fact
from shared.policy.facts.batch import MAX_KNOWN, Batch, take_batch, take_known
from shared.policy.facts.candidates import Floors, Proposed, check_candidates
from shared.policy.transcript import render_facts_input
from shared.prompts import Prompt, load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, extractions, facts, usage, users
from shared.store.lease.kinds import FACTS
from shared.time_zones import seen_from, zone_of

logger = logging.getLogger(__name__)

READ_LIMIT = 200  # user messages of one claim that are looked at; the rest is claimed anew


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one extraction goes by. `known` are shown to the model so that it uses their slots."""

    conversation: Conversation
    batch: Batch
    known: list[Fact]


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the model made of `batch`; `usage` is None when it was not asked."""

    batch: Batch
    proposed: list[Proposed]
    usage: Usage | None


def extract_facts(services: Services, extraction_id: int) -> None:
    """Work on row `extraction_id` of `fact_extractions`, if nobody else does.

    What it left unread, or was said meanwhile, is claimed at once.
    """
    claim = work_on(services, FACTS, extraction_id, _make)
    if claim is None:
        return
    with services.database.transaction() as connection:
        rest = _claim_rest(connection, claim, services.settings)
    send_due(services.broker, [rest] if rest else [])


def _claim_rest(connection: PgConnection, claim: Claim, settings: Settings) -> Due | None:
    try:
        conversation = conversations.get_any_conversation(connection, claim.conversation_id)
    except NotFoundError:
        return None  # deleted meanwhile
    if conversation.mode == "off":
        return None
    return claim_rest(connection, "facts", claim, conversation.last_sequence, settings)


def _make(services: Services, claim: Claim) -> Write:
    settings = services.settings
    reading = _read(services, claim)
    prompt = load_prompt("facts")
    found = _find(prompt, reading, reading.batch, settings)
    candidates = check_candidates(
        found.proposed,
        found.batch.messages,
        claim.conversation_id,
        Floors(confidence=settings.fact_min_confidence, importance=settings.fact_min_importance),
    )
    user_id = reading.conversation.user_id

    def write(connection: PgConnection) -> bool:
        users.lock_user(connection, user_id)
        if not _complete(connection, claim, found, prompt):
            return False
        learn(connection, user_id, candidates, settings.fact_half_life_turns)
        return True

    return write


def _read(services: Services, claim: Claim) -> Reading:
    with services.database.transaction() as connection:
        conversation = conversations.get_any_conversation(connection, claim.conversation_id)
        zone = zone_of(users.find_speakers_time_zone(connection, claim.conversation_id))
        heard = seen_from(zone, extractions.list_heard(connection, claim, READ_LIMIT))
        held = facts.list_recallable(connection, conversation.user_id, 0, MAX_KNOWN)
    end = heard[-1].sequence_number if len(heard) == READ_LIMIT else claim.span.end
    return Reading(conversation=conversation, batch=take_batch(heard, end), known=take_known(held))


def _find(prompt: Prompt, reading: Reading, batch: Batch, settings: Settings) -> Found:
    """Messages that the model answers unusably, twice, are halved until the odd one is alone.

    That one is passed over: it must not keep everything after it from being read.
    """
    if not batch.messages:
        return Found(batch=batch, proposed=[], usage=None)
    try:
        answer, used = ask_json(_request(prompt, reading, batch, settings), FactsAnswer, settings)
    except ModelOutputError:
        if len(batch.messages) > 1:
            return _find(prompt, reading, batch.first_half(), settings)
        _log_passed_over(reading, batch)
        return Found(batch=batch, proposed=[], usage=None)
    return Found(batch=batch, proposed=list(answer.facts), usage=used)


def _request(prompt: Prompt, reading: Reading, batch: Batch, settings: Settings) -> ModelRequest:
    question = render_facts_input(reading.known, batch.messages)
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(
            ChatMessage(role="system", content=prompt.text),
            ChatMessage(role="user", content=question),
        ),
        purpose="facts",
        temperature=0.0,
        max_tokens=settings.facts_max_tokens,
    )


def _complete(connection: PgConnection, claim: Claim, found: Found, prompt: Prompt) -> bool:
    completed = extractions.complete_extraction(
        connection,
        claim,
        end=found.batch.end,
        model=found.usage.model if found.usage else None,
        prompt_version=prompt.version if found.usage else None,
    )
    if completed and found.usage:
        usage.add_usage(connection, claim.conversation_id, "facts", found.usage)
    return completed


def _log_passed_over(reading: Reading, batch: Batch) -> None:
    fields = {
        "conversation_id": reading.conversation.conversation_id,
        "sequence": batch.messages[0].sequence_number,
    }
    logger.warning("facts.unreadable_answer", extra=fields)
