"""Answers with a stored reply: its stream, or the whole of it once it is written."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from flask import Response, jsonify

from shared.llm import provider_of
from shared.models import ConversationId, FinishReason, MessageStatus, Outcome
from shared.rounds.followers import follow_reply
from shared.rounds.live_reply import LiveReply
from shared.settings import Settings
from web.api.answers import Answer
from web.errors import STATUS_OF_CODE, error_response
from web.process.context import web_context
from web.process.live_replies import wait_for_reply
from web.streaming.sse import stream_response, write_events


class ReplyAnswer(Answer):
    """The whole reply."""

    reply: str
    model: str | None
    provider: str | None
    status: MessageStatus
    finish_reason: FinishReason | None
    conversation_id: str
    sequence: int


def answer_stream(live: LiveReply, offset: int, slot: ExitStack) -> Response:
    """`slot` is released when the client has everything or has left."""
    context = web_context()
    attempt, settings = live.attempt, context.services.models.settings()
    model = live.model or settings.chat_model
    meta = {
        "conversation_id": attempt.conversation_id,
        "user_sequence": attempt.sequence - 1,
        "sequence": attempt.sequence,
        "model": model,
        "provider": provider_of(model, settings),
    }
    progress = follow_reply(live, offset, context.stream_ends(), context.pause_s)
    find_provider = partial(_provider_of, settings=settings)
    name = context.attempt_names.name(attempt.fencing_token)
    events = write_events(meta, name, offset, progress, find_provider)
    return stream_response(events, attempt.conversation_id, slot.pop_all().close)


def answer_whole(live: LiveReply) -> Response:
    attempt = live.attempt
    outcome = wait_for_reply(live)
    response = _outcome_response(outcome, attempt.conversation_id, attempt.sequence)
    response.headers["X-Conversation-Id"] = attempt.conversation_id
    return response


def _provider_of(outcome: Outcome, settings: Settings) -> str | None:
    return provider_of(outcome.model, settings) if outcome.model else None


def _outcome_response(outcome: Outcome, conversation_id: ConversationId, sequence: int) -> Response:
    if outcome.error is not None:
        code = outcome.error_code or "internal"
        return error_response(
            STATUS_OF_CODE.get(code, 500),
            code,
            outcome.error,
            reply=outcome.content,
            conversation_id=conversation_id,
            sequence=sequence,
        )
    answer = ReplyAnswer(
        reply=outcome.content,
        model=outcome.model,
        provider=_provider_of(outcome, web_context().services.models.settings()),
        status=outcome.status,
        finish_reason=outcome.finish_reason,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    return jsonify(answer.as_json())
