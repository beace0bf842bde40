"""The rolling summary: points of the base summary that lie in the window, and new points."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from shared.db import PgConnection
from shared.derivations.fallback import ask_stand_in
from shared.derivations.messages import read_messages
from shared.derivations.parts import PartwiseJob, sum_usage
from shared.derivations.request import memory_request, with_input
from shared.derivations.runner import ClaimRequest, LagQuery, Recipe
from shared.llm.schemas import SummaryAnswer
from shared.models import Claim, Due, Message, Point, Span, Usage
from shared.models.job_kinds import SUMMARY
from shared.policy import window
from shared.policy.escaping import unescape
from shared.policy.points import attribute_points
from shared.policy.transcript import render_summary_input
from shared.prompts import load_prompt
from shared.services import Services
from shared.store import summaries, usage
from shared.store.summaries import NewSummary

logger = logging.getLogger(__name__)

WRITTEN_SHARE = 0.5  # how long an answer is beside its messages


@dataclass(frozen=True, kw_only=True)
class Input:
    """The points of the base summary, and the messages after it (the span `covered`)."""

    base_points: tuple[Point, ...]
    covered: Span | None
    messages: list[Message]


@dataclass(frozen=True, kw_only=True)
class NewPoints:
    """The points of the new messages. `prompt_version` None: a fallback by the stand-in."""

    points: tuple[Point, ...]
    model: str
    prompt_version: str | None
    usage: Usage | None = None


@dataclass(frozen=True, kw_only=True)
class MadeSummary:
    """All points of the summary, old and new, and who made the `new` ones.

    `began` is `time.perf_counter` at the beginning of the work.
    """

    points: tuple[Point, ...]
    new: NewPoints
    began: float


def _claim(connection: PgConnection, request: ClaimRequest) -> Due | None:
    """Without `RECENT_TOKENS` a prompt has no turns but those that no summary covers."""
    if not window.summary_due(request.last_sequence, request.settings.memory_summarize_after_seq):
        return None
    return summaries.claim_summary(
        connection,
        request.conversation_id,
        window.summary_span(request.last_sequence, request.settings.memory_rolling_window_size),
        request.settings.dispatch_grace_s,
        may_wait=request.occasion in {"round", "sweep"} and request.settings.recent_tokens > 0,
    )


def _log(_: Services, claim: Claim, taken_s: float) -> None:
    span, conversation_id, taken_ms = claim.span, claim.conversation_id, round(taken_s * 1000)
    logger.info(
        "Summarized messages %s-%s for %s in %sms", span.start, span.end, conversation_id, taken_ms
    )
    if span.start > 0:
        logger.info("Sliding window: dropping seq 0-%s for %s", span.start - 1, conversation_id)


def _make(services: Services, claim: Claim) -> MadeSummary:
    began = time.perf_counter()
    job_input, settings = _read(services, claim), services.models.settings()
    if job_input.messages:
        new = _ask(services, claim, job_input.messages)
    else:
        logger.debug("No new messages to summarize for %s", claim.conversation_id)
        new = NewPoints(
            points=(),
            model=settings.effective_memory_model,
            prompt_version=load_prompt("summary").version,
        )
    return _merge(claim, job_input, new, began)


def _fall_back(services: Services, claim: Claim) -> MadeSummary:
    began = time.perf_counter()
    job_input = _read(services, claim)
    request = with_input(
        memory_request("summary", services.settings), render_summary_input(job_input.messages)
    )
    answer, used = ask_stand_in(request, SummaryAnswer, services.settings)
    new = NewPoints(points=_points(answer), model=used.model, prompt_version=None, usage=used)
    return _merge(claim, job_input, new, began)


def _read(services: Services, claim: Claim) -> Input:
    patterns = services.settings.own_secrets
    with services.database.transaction(user=claim.user_id) as connection:
        base = summaries.find_base(connection, claim.job_id)
        covered = window.newly_covered(claim.span, base.end_sequence if base else None)
        new = read_messages(connection, claim.conversation_id, covered, patterns) if covered else []
    return Input(base_points=base.points if base else (), covered=covered, messages=new)


def _ask(services: Services, claim: Claim, messages: list[Message]) -> NewPoints:
    """The model's points that the messages support."""
    settings = services.models.settings()
    job = PartwiseJob(
        services=services,
        derivation=SUMMARY,
        claim=claim,
        form=SummaryAnswer,
        request=memory_request("summary", settings),
        render=render_summary_input,
        written_share=WRITTEN_SHARE,
    )
    parts = job.read(messages, settings)
    used = sum_usage([part.usage for part in parts])
    return NewPoints(
        points=tuple(
            point
            for part in parts
            for point in attribute_points(_points(part.answer), part.messages)
        ),
        model=used.model,
        prompt_version=load_prompt("summary").version,
        usage=used,
    )


def _points(answer: SummaryAnswer) -> tuple[Point, ...]:
    return tuple(Point(text=unescape(p.text), first=p.first, last=p.last) for p in answer.points)


def _merge(claim: Claim, job_input: Input, new: NewPoints, began: float) -> MadeSummary:
    points = window.merge_points(job_input.base_points, new.points, claim.span, job_input.covered)
    return MadeSummary(points=points, new=new, began=began)


def _write(connection: PgConnection, claim: Claim, product: MadeSummary) -> bool:
    new = NewSummary(
        memory_text=window.render_points(product.points),
        points=product.points,
        model=product.new.model,
        prompt_version=product.new.prompt_version,
        generation_time_ms=_ms_since(product.began),
    )
    is_written = summaries.complete_summary(connection, claim, new)
    if is_written and product.new.usage:
        usage.add_usage(connection, claim.conversation_id, "summary", product.new.usage)
    return is_written


def _ms_since(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)


RECIPE = Recipe(
    derivation=SUMMARY,
    claim=_claim,
    lag=LagQuery(
        rule=summaries.LAG_RULE,
        arguments=lambda settings: {"summarize_after": settings.memory_summarize_after_seq},
    ),
    make=_make,
    fall_back=_fall_back,
    write=_write,
    after=_log,
)
