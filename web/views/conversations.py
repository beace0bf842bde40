"""The read side: conversations, their messages, their memory, what they cost."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request

from shared.db import PgConnection
from shared.errors import InvalidRequestError
from shared.models import Conversation, ConversationId, Message, Span, Summary
from shared.policy import window
from shared.policy.trace import count_remembered
from shared.store import conversations, messages, summaries, usage
from shared.store.conversations import ListedConversation
from web.context import transaction, web_context
from web.forms import MAX_ID, read_cursor, read_limit, read_number, write_cursor

blueprint = Blueprint("conversations", __name__, url_prefix="/api/conversations")


@blueprint.get("")
def list_conversations() -> Response:
    """Newest activity first; `next` is the `before` of the page after this one."""
    limit = read_limit(request, default=30, most=100)
    with transaction() as connection:
        listed = conversations.list_conversations(
            connection, g.user_id, limit=limit + 1, before=read_cursor(request)
        )
    page = listed[:limit]
    last = page[-1].conversation if len(listed) > limit else None
    return jsonify(
        conversations=[_listed_json(entry) for entry in page],
        next=write_cursor(last.updated_at, last.conversation_id) if last else None,
    )


@blueprint.get("/<uuid:conversation_id>/messages")
def list_messages(conversation_id: UUID) -> Response:
    """The newest page, or that `before`, `after` or `around` a sequence number; oldest first.

    `has_more`: there are older ones; `has_newer`: there are newer ones.
    """
    limit = read_limit(request, default=50, most=200)
    with transaction() as connection:
        conversation = _own(connection, conversation_id)
        found = _list_page(connection, conversation.conversation_id, limit)
        last = messages.find_last_sequence(connection, conversation.conversation_id)
    return jsonify(
        **_conversation_json(conversation),
        messages=[_message_json(message) for message in found],
        has_more=bool(found) and found[0].sequence_number > 0,
        has_newer=bool(found) and found[-1].sequence_number < (last or 0),
    )


def _list_page(
    connection: PgConnection, conversation_id: ConversationId, limit: int
) -> list[Message]:
    before, after, around = (read_number(request, name) for name in ("before", "after", "around"))
    if (before, after, around).count(None) < 2:
        raise InvalidRequestError("before, after, around: name one of them at most.")
    if after is not None:
        return messages.list_after(connection, conversation_id, limit=limit, after=after)
    if around is not None:
        return messages.list_around(connection, conversation_id, limit=limit, around=around)
    return messages.list_newest(connection, conversation_id, limit=limit, before=before)


@blueprint.get("/<uuid:conversation_id>/memory")
def show_memory(conversation_id: UUID) -> Response:
    """The chain of rolling summaries, newest first, and what each message's state is.

    A page of the chain ends before `before`, a `memory_id`.
    """
    settings = web_context().services.settings
    limit = read_limit(request, default=100, most=500)
    before = read_number(request, "before", MAX_ID)
    with transaction() as connection:
        conversation = _own(connection, conversation_id)
        chain = summaries.list_summaries(
            connection, conversation.conversation_id, limit=limit, before_id=before
        )
        newest = summaries.find_newest_summary(connection, conversation.conversation_id)
    last = conversation.last_sequence
    end = newest.end_sequence if newest else None
    processing = next((row for row in chain if row.status == "processing"), None)
    return jsonify(
        last_sequence=last,
        window_start=window.summary_span(last, settings.memory_rolling_window_size).start,
        summary_start=newest.start_sequence if newest else None,
        summary_end=end,
        gap=_span_json(window.gap_span(end, last + 1)),
        processing=_span_json(_span(processing)) if processing else None,
        rows=[_summary_json(row) for row in chain],
    )


@blueprint.get("/<uuid:conversation_id>/usage")
def list_usage(conversation_id: UUID) -> Response:
    """Calls and tokens by purpose and model: what this conversation has cost."""
    with transaction() as connection:
        conversation = _own(connection, conversation_id)
        totals = usage.list_usage(connection, conversation.conversation_id)
    return jsonify(usage=[asdict(total) for total in totals])


def _own(connection: PgConnection, conversation_id: UUID) -> Conversation:
    return conversations.get_conversation(
        connection, g.user_id, ConversationId(str(conversation_id))
    )


def _listed_json(listed: ListedConversation) -> dict[str, object]:
    return {**_conversation_json(listed.conversation), "preview": listed.preview}


def _conversation_json(conversation: Conversation) -> dict[str, object]:
    return {
        "conversation_id": conversation.conversation_id,
        "title": conversation.title,
        "agent": conversation.agent,
        "mode": conversation.mode,
        "last_sequence": conversation.last_sequence,
        "created_at": conversation.created_at.isoformat(),
        "updated_at": conversation.updated_at.isoformat(),
    }


def _message_json(message: Message) -> dict[str, object]:
    return {
        "sequence_number": message.sequence_number,
        "role": message.role,
        "content": message.content,
        "status": message.status,
        "finish_reason": message.finish_reason,
        "model": message.model,
        "created_at": message.created_at.isoformat(),
        "error": message.error,
        "deleted": message.deleted_at is not None,
        "remembered": count_remembered(message.trace),
    }


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
        "finished_at": _instant(row.finished_at),
    }


def _span(row: Summary) -> Span:
    return Span(start=row.start_sequence, end=row.end_sequence)


def _span_json(span: Span | None) -> dict[str, int] | None:
    return {"start": span.start, "end": span.end} if span else None


def _instant(value: datetime | None) -> str | None:
    return value.isoformat() if value else None
