"""The rolling summary: points for the new messages, on the shoulders of the base's points."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

from shared.db import PgConnection
from shared.derivations.fallback import ask_stand_in
from shared.derivations.job_input import list_spoken
from shared.derivations.parts import add_up, ask_in_parts, with_input
from shared.derivations.work import Write, work_on
from shared.llm import ChatMessage, ModelRequest, ask_json
from shared.llm.schemas import SummaryAnswer
from shared.models import Claim, Message, Point, Span, Usage
from shared.policy import window
from shared.policy.points import place_points
from shared.policy.transcript import render_summary_input, unescape
from shared.prompts import Prompt, load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import summaries, usage
from shared.store.lease.kinds import SUMMARY

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one summary goes by: the points it continues, and the `new` messages it covers."""

    base_points: tuple[Point, ...]
    covered: Span | None
    new: list[Message]


@dataclass(frozen=True, kw_only=True)
class Made:
    """Points, and who made them; without a prompt's version it was the fallback."""

    points: tuple[Point, ...]
    model: str
    prompt_version: str | None
    usage: Usage | None = None


def summarize(services: Services, memory_id: int) -> None:
    """Work on row `memory_id` of `memory`, if nobody else does."""
    began = time.perf_counter()
    claim = work_on(services, SUMMARY, memory_id, _make, _fall_back)
    if claim is None:
        return
    taken_ms = _ms_since(began)
    span, conversation_id = claim.span, claim.conversation_id
    logger.info(
        "Summarized messages %s-%s for %s in %sms", span.start, span.end, conversation_id, taken_ms
    )
    if span.start > 0:
        logger.info("Sliding window: dropping seq 0-%s for %s", span.start - 1, conversation_id)


def _make(services: Services, claim: Claim) -> Write:
    began = time.perf_counter()
    settings = services.settings
    reading = _read(services, claim)
    prompt = load_prompt("summary")
    if reading.new:
        made = _ask(prompt, reading.new, settings)
    else:
        logger.debug("No new messages to summarize for %s", claim.conversation_id)
        model = settings.effective_memory_model
        made = Made(points=(), model=model, prompt_version=prompt.version)
    return _write(claim, reading, made, began)


def _fall_back(services: Services, claim: Claim) -> Write:
    began = time.perf_counter()
    reading = _read(services, claim)
    request = _request(load_prompt("summary"), services.settings)
    request = with_input(request, render_summary_input(reading.new))
    answer, used = ask_stand_in(request, SummaryAnswer, services.settings)
    made = Made(points=_points(answer), model=used.model, prompt_version=None, usage=used)
    return _write(claim, reading, made, began)


def _read(services: Services, claim: Claim) -> Reading:
    with services.database.transaction() as connection:
        base = summaries.find_base(connection, claim.job_id)
        covered = window.newly_covered(claim.span, base.end_sequence if base else None)
        new = list_spoken(connection, claim.conversation_id, covered) if covered else []
    return Reading(base_points=base.points if base else (), covered=covered, new=new)


def _ask(prompt: Prompt, new: list[Message], settings: Settings) -> Made:
    """The model's points for the new messages, as far as these bear them out."""
    request = _request(prompt, settings)

    def ask(part: Sequence[Message]) -> tuple[tuple[Point, ...], Usage]:
        question = with_input(request, render_summary_input(part))
        answer, used = ask_json(question, SummaryAnswer, settings)
        return place_points(_points(answer), part), used

    parts = ask_in_parts(request, new, ask, settings)
    return Made(
        points=tuple(point for points, _ in parts for point in points),
        model=parts[-1][1].model,
        prompt_version=prompt.version,
        usage=add_up([used for _, used in parts]),
    )


def _request(prompt: Prompt, settings: Settings) -> ModelRequest:
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=prompt.text),),
        purpose="summary",
        temperature=0.0,
        max_tokens=settings.summary_max_tokens,
    )


def _points(answer: SummaryAnswer) -> tuple[Point, ...]:
    return tuple(Point(text=unescape(p.text), first=p.first, last=p.last) for p in answer.points)


def _write(claim: Claim, reading: Reading, made: Made, began: float) -> Write:
    merged = window.merge_points(reading.base_points, made.points, claim.span, reading.covered)

    def write(connection: PgConnection) -> bool:
        completed = summaries.complete_summary(
            connection,
            claim,
            memory_text=window.render_points(merged),
            points=merged,
            model=made.model,
            prompt_version=made.prompt_version,
            generation_time_ms=_ms_since(began),
        )
        if completed and made.usage:
            usage.add_usage(connection, claim.conversation_id, "summary", made.usage)
        return completed

    return write


def _ms_since(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)
