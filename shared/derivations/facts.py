"""Facts: what the user said of themself since the last extraction, into the record."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from shared.broker import send_due
from shared.db import PgConnection
from shared.derivations.claims import claim_rest
from shared.derivations.parts import LEAST_TOKENS, measure_by
from shared.derivations.work import Write, work_on
from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    InputTooLongError,
    ModelOutputError,
    NotFoundError,
    RequestNotAcceptedError,
)
from shared.facts.record import learn
from shared.facts.suggestions import suggest_facts
from shared.llm import ChatMessage, ModelRequest, ask_json, input_budget
from shared.llm.schemas import FactsAnswer
from shared.metrics import FACTS_REFUSED, PASSED_OVER
from shared.models import Candidate, Claim, Conversation, Due, Fact, Heard, Usage
from shared.policy.facts.batch import MAX_KNOWN, Batch, take_batch, take_known
from shared.policy.facts.candidates import Floors, Proposed, check_candidates
from shared.policy.facts.screen import screen
from shared.policy.transcript import render_facts_input
from shared.prompts import Prompt, load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, usage, users
from shared.store.facts import extractions
from shared.store.facts import versions as fact_versions
from shared.store.lease.kinds import FACTS
from shared.time_zones import seen_from, zone_of

logger = logging.getLogger(__name__)

UNUSABLE = (ModelOutputError, InputRefusedError)
READ_LIMIT = 200  # user messages of one claim that are looked at; the rest is claimed anew


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one extraction goes by. `known` are shown to the model so that it uses their slots."""

    conversation: Conversation
    batch: Batch
    known: list[Fact]


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How the model is asked. Messages at which it fails with `unusable` are passed over."""

    prompt: Prompt
    reading: Reading
    unusable: tuple[type[Exception], ...]
    settings: Settings


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
    claim = work_on(services, FACTS, extraction_id, _make, _make_in_the_end)
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
    return _extract(services, claim, UNUSABLE)


def _make_in_the_end(services: Services, claim: Claim) -> Write:
    """Where the job has failed too often: message by message, if need be."""
    return _extract(services, claim, (*UNUSABLE, RequestNotAcceptedError, EmptyAnswerError))


def _extract(services: Services, claim: Claim, unusable: tuple[type[Exception], ...]) -> Write:
    settings = services.settings
    reading = _read(services, claim)
    prompt = load_prompt("facts")
    asking = Asking(prompt=prompt, reading=reading, unusable=unusable, settings=settings)
    found = _find(asking, reading.batch, _room(asking))
    stated, doubtful = _check(found, claim, reading, settings)
    user_id = reading.conversation.user_id

    def write(connection: PgConnection) -> bool:
        users.lock_user(connection, user_id)
        if not _complete(connection, claim, found, prompt):
            return False
        learn(connection, user_id, stated, settings.fact_half_life_turns)
        suggest_facts(connection, user_id, doubtful)
        return True

    return write


def _read(services: Services, claim: Claim) -> Reading:
    with services.database.transaction() as connection:
        conversation = conversations.get_any_conversation(connection, claim.conversation_id)
        zone = zone_of(users.find_speakers_time_zone(connection, claim.conversation_id))
        heard = seen_from(zone, extractions.list_heard(connection, claim, READ_LIMIT))
        held = fact_versions.list_recallable(connection, conversation.user_id, 0, MAX_KNOWN)
    end = heard[-1].sequence_number if len(heard) == READ_LIMIT else claim.span.end
    return Reading(conversation=conversation, batch=take_batch(heard, end), known=take_known(held))


def _find(asking: Asking, batch: Batch, room: int | None) -> Found:
    """Messages that the model answers unusably, twice, are halved until the odd one is alone.

    That one is passed over: it must not keep everything after it from being read. What is too
    long for the model is read in smaller parts, cut at last.
    """
    measure = measure_by(asking.settings.effective_memory_model)
    fitting = batch if room is None else batch.fitted(room, measure)
    if not fitting.messages:
        return Found(batch=fitting, proposed=[], usage=None)
    try:
        answer, used = ask_json(_request(asking, fitting.messages), FactsAnswer, asking.settings)
    except asking.unusable as exc:
        smaller = sum(map(measure, fitting.messages)) // 2
        if isinstance(exc, InputTooLongError) and smaller >= LEAST_TOKENS:
            return _find(asking, batch, smaller)
        if len(fitting.messages) > 1:
            return _find(asking, fitting.first_half(), room)
        _log_passed_over(asking.reading, fitting)
        return Found(batch=fitting, proposed=[], usage=None)
    return Found(batch=fitting, proposed=list(answer.facts), usage=used)


def _room(asking: Asking) -> int | None:
    """Tokens that messages may take beside the instructions and the known facts."""
    return input_budget(_request(asking, ()), asking.settings)


def _check(
    found: Found, claim: Claim, reading: Reading, settings: Settings
) -> tuple[list[Candidate], list[Candidate]]:
    """(to learn, to suggest). What nobody said is counted, without a word of it."""
    heard = found.batch.messages
    screened = screen(found.proposed, heard, reading.known, settings.fact_sure_confidence)
    for reason, count in screened.refused.items():
        FACTS_REFUSED.labels(reason).inc(count)
    floors = Floors(
        confidence=settings.fact_min_confidence, importance=settings.fact_min_importance
    )
    stated, doubtful = (
        check_candidates(facts, heard, claim.conversation_id, floors)
        for facts in (screened.stated, screened.doubtful)
    )
    return stated, doubtful


def _request(asking: Asking, heard: Sequence[Heard]) -> ModelRequest:
    question = render_facts_input(asking.reading.known, heard)
    return ModelRequest(
        model=asking.settings.effective_memory_model,
        messages=(
            ChatMessage(role="system", content=asking.prompt.text),
            ChatMessage(role="user", content=question),
        ),
        purpose="facts",
        temperature=0.0,
        max_tokens=asking.settings.facts_max_tokens,
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
    PASSED_OVER.inc()
    logger.warning("facts.unreadable_answer", extra=fields)
