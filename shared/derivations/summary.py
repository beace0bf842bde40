"""The rolling summary: points for the new messages, on the shoulders of the base's points."""

from __future__ import annotations

import logging
import time

from shared.db import PgConnection
from shared.derivations.spoken import list_spoken
from shared.derivations.work import Write, work_on
from shared.errors import ModelOutputError
from shared.llm import ChatMessage, ModelRequest, Usage, ask_json
from shared.llm.schemas import SummaryAnswer
from shared.models import Claim, Message, Point, Span, Summary
from shared.policy import window
from shared.policy.text import storable
from shared.policy.transcript import render_summary_input
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import memory, usage
from shared.store.lease.kinds import SUMMARY

logger = logging.getLogger(__name__)

MAX_RAW_CHARS = 2000  # of an answer that is no JSON and is kept as one point


def summarize(services: Services, memory_id: int) -> None:
    """Work on row `memory_id` of `memory`, if nobody else does."""
    began = time.perf_counter()
    claim = work_on(services, SUMMARY, memory_id, _make)
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
    base, covered, new = _read(services, claim)
    old = base.points if base else ()
    prompt = load_prompt("summary")
    points: tuple[Point, ...] = ()
    used: Usage | None = None
    if new:
        kept = window.slide(old, claim.span.start)
        points, used = _ask(prompt.text, kept, new, services.settings)
    else:
        logger.debug("No new messages to summarize for %s", claim.conversation_id)
    merged = window.merge_points(old, points, claim.span, covered)

    def write(connection: PgConnection) -> bool:
        completed = memory.complete_summary(
            connection,
            claim,
            memory_text=window.render_points(merged),
            points=merged,
            model=used.model if used else services.settings.effective_memory_model,
            prompt_version=prompt.version,
            generation_time_ms=_ms_since(began),
        )
        if completed and used:
            usage.add_usage(connection, claim.conversation_id, "summary", used)
        return completed

    return write


def _read(services: Services, claim: Claim) -> tuple[Summary | None, Span | None, list[Message]]:
    with services.database.transaction() as connection:
        base = memory.find_base(connection, claim.job_id)
        covered = window.newly_covered(claim.span, base.end_sequence if base else None)
        new = list_spoken(connection, claim.conversation_id, covered) if covered else []
    return base, covered, new


def _ask(
    instructions: str, kept: tuple[Point, ...], new: list[Message], settings: Settings
) -> tuple[tuple[Point, ...], Usage | None]:
    """The model's points for the new messages. An answer that is twice no JSON is one point."""
    request = ModelRequest(
        model=settings.effective_memory_model,
        messages=(
            ChatMessage(role="system", content=instructions),
            ChatMessage(role="user", content=render_summary_input(kept, new)),
        ),
        purpose="summary",
        temperature=0.0,
        max_tokens=settings.summary_max_tokens,
    )
    first, last = new[0].sequence_number, new[-1].sequence_number
    try:
        answer, used = ask_json(request, SummaryAnswer, settings)
    except ModelOutputError as exc:
        text = storable(" ".join(exc.raw_text.split()))[:MAX_RAW_CHARS]
        return (Point(text=text, first=first, last=last),), None
    points = tuple(Point(text=p.text, first=p.first, last=p.last) for p in answer.points)
    return points, used


def _ms_since(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)
