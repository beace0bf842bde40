"""Facts: extract what users said about themselves since the last extraction, and record it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from shared.db import PgConnection
from shared.derivations.kinds.tidying import claim_tidying_of_day
from shared.derivations.model_check import begin_check
from shared.derivations.parts import LEAST_TOKENS, measure_by, part_tokens
from shared.derivations.request import memory_request, with_input
from shared.derivations.runner import ClaimRequest, LagQuery, Recipe
from shared.derivations.withholding import MOST_FACTS, forget
from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    InputTooLongError,
    ModelOutputError,
    RequestNotAcceptedError,
)
from shared.facts.record import learn
from shared.facts.suggestions import suggest_facts
from shared.llm import ModelRequest, ask_json, input_budget, shorter_budget
from shared.llm.schemas import FactsAnswer
from shared.llm.trust import is_trusted
from shared.metrics.counters import FACTS_REFUSED, PASSED_OVER
from shared.models import Candidate, Claim, ConversationId, Due, Fact, Heard, Usage, UserId
from shared.models.job_kinds import FACTS
from shared.policy.facts.batch import Batch, take_batch, take_known
from shared.policy.facts.candidates import Floors, check_candidates
from shared.policy.facts.copied import without_copied
from shared.policy.facts.proposals import LabeledProposal
from shared.policy.facts.screen import Screened, screen
from shared.policy.facts.secret_patterns import without_patterns
from shared.policy.shortening import room_of_part
from shared.policy.transcript import render_facts_input
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import projects, usage, users
from shared.store.facts import extractions
from shared.store.facts import versions as fact_versions
from shared.time_zones import seen_from, zone_of

logger = logging.getLogger(__name__)

Errors = tuple[type[Exception], ...]
UNUSABLE: Errors = (ModelOutputError, InputRefusedError)
#: The errors that count as unusable when a job has failed too often.
UNUSABLE_AFTER_RETRIES: Errors = (*UNUSABLE, RequestNotAcceptedError, EmptyAnswerError)
WRITTEN_SHARE = 3.0  # a fact with its labels is written in three times the words of its message
READ_LIMIT = 200  # user messages that one job reads from the database; the next job reads more
#: Below either, a proposal is a guess or small talk: it is neither learned nor suggested.
FLOORS = Floors(confidence=0.4, importance=0.2)
#: After so many of the user's turns an unconfirmed fact has half its confidence in conflicts: a
#: season of daily use, so that a new weak statement can replace what was said long ago.
FACT_HALF_LIFE_TURNS = 1000


@dataclass(frozen=True, kw_only=True)
class Input:
    """The input of one extraction. The model sees the `known` facts so that it uses their slots.

    If the model fails with an `unusable` error, the batch gets smaller, and is finally passed over.
    """

    conversation_id: ConversationId
    batch: Batch
    #: All facts on record; the model is shown those that its messages may be about.
    known: Sequence[Fact]
    #: What the user wants to be noted.
    instructions: str
    unusable: Errors


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The model's proposals from `batch`. `usage` is None if there is no usable answer."""

    batch: Batch
    proposed: Sequence[LabeledProposal]
    usage: Usage | None

    def unread(self) -> list[int]:
        """The messages that the model gave no usable answer about."""
        return [] if self.usage else [message.sequence_number for message in self.batch.messages]


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The result to write: facts to learn and to suggest, and how far the messages were read."""

    user_id: UserId
    #: The model that was asked first. Fallbacks may have answered.
    model: str
    answer: Answer
    stated: list[Candidate]
    doubtful: list[Candidate]


def _claim(connection: PgConnection, request: ClaimRequest) -> Due | None:
    """Claim messages up to the newest user message, even if its reply failed.

    The sweep also claims what another model than memory's could not read, and a rerun what no model
    could.
    """
    readers = {"sweep": request.settings.effective_memory_model, "rerun": ""}
    return extractions.claim_extraction(
        connection,
        request.conversation_id,
        request.last_sequence - request.last_sequence % 2,
        request.settings.dispatch_grace_s,
        not_by=readers.get(request.occasion),
    )


def _make(services: Services, claim: Claim) -> Extraction:
    return _extract(services, claim, UNUSABLE)


def _fall_back(services: Services, claim: Claim) -> Extraction:
    """Accept more errors as unusable, so that what the model cannot read is passed over."""
    return _extract(services, claim, UNUSABLE_AFTER_RETRIES)


def _extract(services: Services, claim: Claim, unusable: Errors) -> Extraction:
    settings = services.models.settings()
    job_input = _read(services, claim, unusable)
    budget = _budget(job_input, settings)
    begin_check(services, settings.effective_memory_model)
    answer = _ask(job_input, job_input.batch, budget, settings)
    screened = _screen(answer, job_input.known, settings)
    heard = answer.batch.messages
    return Extraction(
        user_id=claim.user_id,
        model=settings.effective_memory_model,
        answer=answer,
        stated=check_candidates(screened.stated, heard, claim.conversation_id, FLOORS),
        doubtful=check_candidates(screened.doubtful, heard, claim.conversation_id, FLOORS),
    )


def _read(services: Services, claim: Claim, unusable: Errors) -> Input:
    with services.database.transaction(user=claim.user_id) as connection:
        projects.enter_memory_of(connection, claim.conversation_id)
        preferences = users.find_preferences(connection, claim.user_id)
        zone = zone_of(preferences.time_zone)
        heard = seen_from(zone, extractions.list_heard(connection, claim, READ_LIMIT))
        known = fact_versions.list_recallable(connection, claim.user_id, 0, MOST_FACTS)
    end = heard[-1].sequence_number if len(heard) == READ_LIMIT else claim.span.end
    return Input(
        conversation_id=claim.conversation_id,
        batch=take_batch(heard, end),
        known=known,
        instructions=preferences.memory_instructions,
        unusable=unusable,
    )


def _ask(job_input: Input, batch: Batch, budget: int | None, settings: Settings) -> Answer:
    """Ask about the messages of `batch` that fit into `budget` tokens (None: any number).

    If the answer is unusable, the batch is halved until one message is left. This message is passed
    over, so that later messages can be read: another model reads it again, or the user asks for it.
    If the input is too long, the budget is halved.
    """
    measure = measure_by(settings.effective_memory_model)
    fitted = batch if budget is None else batch.fitted(budget, measure)
    if not fitted.messages:
        return Answer(batch=fitted, proposed=[], usage=None)
    try:
        answer, used = ask_json(
            _request(job_input, fitted.messages, settings), FactsAnswer, settings
        )
    except job_input.unusable as exc:
        refused = sum(map(measure, fitted.messages))
        smaller = shorter_budget(_request(job_input, (), settings), refused, settings)
        if isinstance(exc, InputTooLongError) and smaller >= LEAST_TOKENS:
            return _ask(job_input, batch, smaller, settings)
        if len(fitted.messages) > 1:
            return _ask(job_input, fitted.first_half(), budget, settings)
        _log_passed_over(job_input, fitted)
        return Answer(batch=fitted, proposed=[], usage=None)
    proposed = without_copied(answer.facts, fitted.messages, load_prompt("facts").text)
    return Answer(batch=fitted, proposed=proposed, usage=used)


def _budget(job_input: Input, settings: Settings) -> int | None:
    """Tokens of messages in one call; None: any number. The next job reads the others."""
    budget = input_budget(_request(job_input, (), settings), settings)
    if budget is None:
        return None
    sizes = [*map(measure_by(settings.effective_memory_model), job_input.batch.messages)]
    return room_of_part(sizes, budget, part_tokens(settings, WRITTEN_SHARE))


def _request(job_input: Input, heard: Sequence[Heard], settings: Settings) -> ModelRequest:
    of_operator = without_patterns(settings.memory_instructions)
    request = memory_request("facts", settings, of_operator, job_input.instructions)
    return with_input(request, render_facts_input(take_known(job_input.known, heard), heard))


def _screen(answer: Answer, known: Sequence[Fact], settings: Settings) -> Screened:
    """Check the proposals. Refusals are counted by reason, without their text."""
    screened = screen(
        answer.proposed,
        answer.batch.messages,
        known,
        settings.own_secrets,
        is_trusted=answer.usage is not None and is_trusted(answer.usage.model, settings),
    )
    for reason, count in screened.refused.items():
        FACTS_REFUSED.labels(reason).inc(count)
    return screened


def _write(connection: PgConnection, claim: Claim, product: Extraction) -> bool:
    users.lock_user(connection, product.user_id)
    projects.enter_memory_of(connection, claim.conversation_id)
    used = product.answer.usage
    is_written = extractions.complete_extraction(
        connection,
        claim,
        end=product.answer.batch.end,
        model=used.model if used else None,
        prompt_version=load_prompt("facts").version if used else None,
    )
    if not is_written:
        return False
    batch, unread = product.answer.batch, product.answer.unread()
    if unread or any(message.is_read_again for message in batch.messages):
        extractions.mark_unread(connection, claim, unread, end=batch.end, model=product.model)
    if used:
        usage.add_usage(connection, claim.conversation_id, "facts", used)
    learn(connection, product.user_id, product.stated, FACT_HALF_LIFE_TURNS)
    suggest_facts(connection, product.user_id, product.doubtful)
    forget(connection, product.user_id, claim.conversation_id, product.answer.batch.messages)
    return True


def _log_passed_over(job_input: Input, batch: Batch) -> None:
    fields = {
        "conversation_id": job_input.conversation_id,
        "sequence": batch.messages[0].sequence_number,
    }
    PASSED_OVER.inc()
    logger.warning("facts.unreadable_answer", extra=fields)


RECIPE = Recipe(
    derivation=FACTS,
    claim=_claim,
    lag=LagQuery(
        rule=extractions.LAG_RULE,
        arguments=lambda settings: {"model": settings.effective_memory_model},
    ),
    make=_make,
    fall_back=_fall_back,
    write=_write,
    adds_events=True,
    leaves_rest=True,
    claim_next=claim_tidying_of_day,
)
