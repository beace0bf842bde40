"""The rolling summaries of a conversation, and which of its messages they cover."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request

from shared.models import ConversationId, Span, Summary
from shared.policy import window
from shared.store import conversations, summaries
from web.callers import needs
from web.context import transaction, web_context
from web.forms import MAX_ID, read_limit, read_number

blueprint = Blueprint(
    "summaries", __name__, url_prefix="/api/conversations/<conversation:conversation_id>/memory"
)


@blueprint.get("")
@needs("memory:read")
def show_memory(conversation_id: ConversationId) -> Response:
    """The chain of rolling summaries, newest first, and where window, summary and gap begin.

    A page of the chain ends before `before`, a `memory_id`.
    """
    settings = web_context().services.settings
    limit = read_limit(request, default=100, most=500)
    before = read_number(request, "before", MAX_ID)
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
        chain = summaries.list_summaries(connection, conversation_id, limit=limit, before_id=before)
        newest = summaries.find_newest_summary(connection, conversation_id)
    last = conversation.last_sequence
    end = newest.end_sequence if newest else None
    processing = next(
        (
            Span(start=row.start_sequence, end=row.end_sequence)
            for row in chain
            if row.status == "processing"
        ),
        None,
    )
    return jsonify(
        last_sequence=last,
        window_start=window.summary_span(last, settings.memory_rolling_window_size).start,
        summary_start=newest.start_sequence if newest else None,
        summary_end=end,
        gap=_span_json(window.gap_span(end, last + 1)),
        processing=_span_json(processing),
        rows=[_summary_json(row) for row in chain],
    )


def _summary_json(row: Summary) -> dict[str, object]:
    return {
        "memory_id": row.memory_id,
        "start_sequence": row.start_sequence,
        "end_sequence": row.end_sequence,
        "base_memory_id": row.base_memory_id,
        "status": row.status,
        "memory_text": row.memory_text,
        "points": [{"text": p.text, "first": p.first, "last": p.last} for p in row.points],
        "is_fallback": row.is_fallback,
        "generation_time_ms": row.generation_time_ms,
        "attempts": row.attempts,
        "error": row.error,
        "created_at": row.created_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
    }


def _span_json(span: Span | None) -> dict[str, int] | None:
    return {"start": span.start, "end": span.end} if span else None
