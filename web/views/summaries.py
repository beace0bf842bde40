"""The rolling summaries of a conversation, and which of its messages they cover."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, g
from pydantic import Field

from shared.models import ConversationId, JobStatus, Span, Summary
from shared.policy import window
from shared.store import conversations, episodes, summaries
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import Listing

blueprint = Blueprint(
    "summaries", __name__, url_prefix="/conversations/<conversation:conversation_id>"
)


class SummariesQuery(Listing):
    DEFAULT = 100
    MOST = 500


class SpanAnswer(Answer):
    """Messages from `start` to `end`, both included."""

    start: int
    end: int


class PointAnswer(Answer):
    """One statement of a summary, and the first and last message that it comes from."""

    text: str
    first: int
    last: int


class SummaryAnswer(Answer):
    """A rolling summary, or the job that makes it."""

    memory_id: int
    start_sequence: int
    end_sequence: int
    base_memory_id: int | None
    status: JobStatus
    memory_text: str | None
    points: list[PointAnswer]
    is_fallback: bool
    generation_time_ms: int | None
    attempts: int
    error: str | None
    created_at: Instant
    finished_at: Instant | None


class SummaryPage(Page):
    """The chain of rolling summaries, and where window, summary and gap begin."""

    last_sequence: int
    window_start: int
    summary_start: int | None
    summary_end: int | None
    gap: SpanAnswer | None = Field(description="Messages that no summary covers yet.")
    processing: SpanAnswer | None = Field(description="Messages that are being summed up.")
    episodes: list[SpanAnswer] = Field(description="Messages that episodes cover.")
    rows: list[SummaryAnswer]


@blueprint.get("/summaries")
@needs("memory:read")
@operation()
def show_memory(conversation_id: ConversationId, query: SummariesQuery) -> SummaryPage:
    """List the rolling summaries of a conversation, newest first."""
    settings = web_context().services.settings
    place = read_cursor(query)
    before = place[0] if place else None
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
        entries = summaries.list_summaries(
            connection, conversation_id, limit=query.size + 1, before_id=before
        )
        newest = summaries.find_newest_summary(connection, conversation_id)
        covered = episodes.list_covered(connection, conversation_id)
    chain, last = entries[: query.size], conversation.last_sequence
    end = newest.end_sequence if newest else None
    return SummaryPage(
        last_sequence=last,
        window_start=window.summary_span(last, settings.memory_rolling_window_size).start,
        summary_start=newest.start_sequence if newest else None,
        summary_end=end,
        gap=_span_answer(window.gap_span(end, last + 1)),
        processing=_span_answer(_find_processing(chain)),
        episodes=[SpanAnswer(start=span.start, end=span.end) for span in covered],
        rows=[_summary_answer(row) for row in chain],
        next_cursor=next_cursor(entries, query, lambda row: (row.memory_id,)),
    )


def _find_processing(chain: list[Summary]) -> Span | None:
    spans = (
        Span(start=row.start_sequence, end=row.end_sequence)
        for row in chain
        if row.status == "processing"
    )
    return next(spans, None)


def _summary_answer(row: Summary) -> SummaryAnswer:
    return SummaryAnswer(
        memory_id=row.memory_id,
        start_sequence=row.start_sequence,
        end_sequence=row.end_sequence,
        base_memory_id=row.base_memory_id,
        status=row.status,
        memory_text=row.memory_text,
        points=[PointAnswer(**asdict(point)) for point in row.points],
        is_fallback=row.is_fallback,
        generation_time_ms=row.generation_time_ms,
        attempts=row.attempts,
        error=row.error,
        created_at=row.created_at,
        finished_at=row.finished_at,
    )


def _span_answer(span: Span | None) -> SpanAnswer | None:
    return SpanAnswer(start=span.start, end=span.end) if span else None
