"""Rounds over HTTP: send, follow, stop, try again, go on, say it in other words."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request

from shared.agents import DEFAULT_AGENT, get_agent
from shared.errors import AlreadySentError, ConflictError, TransientError
from shared.llm import provider_of
from shared.models import ConversationId, Message, OpenRound
from shared.rounds.following import closed_reply, follow_reply, wait_for_outcome
from shared.rounds.live_reply import LiveReply
from shared.rounds.opening import (
    NewMessage,
    continue_round,
    open_round,
    reopen_round,
    reword_round,
)
from shared.store import conversations, messages
from web.context import web_context
from web.errors import STATUS_OF_CODE, error_response
from web.forms import ChatForm, EditForm, RetryForm, check_id, check_text, read_form, read_key
from web.sse import read_position, stream_response, write_events
from web.time_zone import read_time_zone

blueprint = Blueprint("chat", __name__)


@blueprint.post("/chat")
def chat() -> Response:
    """Send a message. Answers with the whole reply, or with its stream.

    Sent again with the same `Idempotency-Key`, it is answered with the reply to the first one.
    """
    form = read_form(request, ChatForm)
    settings = web_context().services.settings
    agent = get_agent(form.agent or DEFAULT_AGENT)
    new = NewMessage(
        user_id=g.user_id,
        text=check_text(form.message, settings.max_message_chars),
        conversation_id=ConversationId(check_id(form.conversation_id))
        if form.conversation_id
        else None,
        agent=agent.name,
        mode=form.mode or "active",
        idempotency_key=read_key(request),
        time_zone=read_time_zone(request, form.time_zone),
    )
    try:
        return _run(lambda: _in_transaction(open_round, new), stream=form.stream)
    except AlreadySentError as sent:
        return _answer_again(sent, stream=form.stream)


@blueprint.post("/chat/<uuid:conversation_id>/<int:sequence>/retry")
def retry(conversation_id: UUID, sequence: int) -> Response:
    """Write the newest reply once more."""
    form = read_form(request, RetryForm)
    place = (g.user_id, ConversationId(str(conversation_id)), sequence)
    return _run(lambda: _reopen(reopen_round, *place), stream=form.stream)


@blueprint.post("/chat/<uuid:conversation_id>/<int:sequence>/continue")
def go_on(conversation_id: UUID, sequence: int) -> Response:
    """Go on with the newest reply where it was cut, stopped or broke off.

    Answers as `retry` does, with all of the reply: what was there and what is new.
    """
    form = read_form(request, RetryForm)
    place = (g.user_id, ConversationId(str(conversation_id)), sequence)
    return _run(lambda: _reopen(continue_round, *place), stream=form.stream)


@blueprint.post("/chat/<uuid:conversation_id>/<int:sequence>/edit")
def edit(conversation_id: UUID, sequence: int) -> Response:
    """Say the newest user message in other words; answers as `chat` does."""
    form = read_form(request, EditForm)
    settings = web_context().services.settings
    new = NewMessage(
        user_id=g.user_id,
        text=check_text(form.message, settings.max_message_chars),
        conversation_id=ConversationId(str(conversation_id)),
        idempotency_key=read_key(request),
        time_zone=read_time_zone(request, form.time_zone),
    )
    try:
        return _run(lambda: _reopen(reword_round, new, sequence), stream=form.stream)
    except AlreadySentError as sent:
        return _answer_again(sent, stream=form.stream)


@blueprint.post("/chat/<uuid:conversation_id>/<int:sequence>/stop")
def stop(conversation_id: UUID, sequence: int) -> tuple[Response, int]:
    """End a reply early; what was written is kept."""
    context = web_context()
    message = _own_reply(conversation_id, sequence)
    if message.status != "streaming":
        raise ConflictError("This reply is not being written any more.")
    live = context.runner.find_live(message.conversation_id, sequence)
    if live is not None and live.fencing_token == message.fencing_token:
        live.stop_asked.set()
    else:
        log = context.runner.reply_log(message.conversation_id, sequence)
        log.ask_to_stop(message.fencing_token or 0)
    return jsonify(stopping=True), 202


@blueprint.get("/chat/<uuid:conversation_id>/<int:sequence>/stream")
def follow(conversation_id: UUID, sequence: int) -> Response:
    """The reply from `Last-Event-ID` on, whether it is finished, or written here or elsewhere."""
    position = read_position(request)
    message = _own_reply(conversation_id, sequence)
    is_same_try = position is not None and position.fencing_token == (message.fencing_token or 0)
    offset = position.offset if position and is_same_try else 0
    return _stream(_find_live(message), offset, _take_follower())


def _run(opening: Callable[[], OpenRound], *, stream: bool) -> Response:
    """A follower's place is taken before anything is written."""
    leave = _take_follower() if stream else None
    try:
        _, live = web_context().runner.run(g.user_id, opening)
    except BaseException:
        if leave:
            leave()
        raise
    return _stream(live, 0, leave) if leave else _whole_reply(live)


def _answer_again(sent: AlreadySentError, *, stream: bool) -> Response:
    """What the first sending was answered, or is being answered at this moment."""
    live = _find_live(_own_reply(UUID(sent.conversation_id), sent.sequence))
    if stream:
        response = _stream(live, 0, _take_follower())
    else:
        with web_context().places.waiting.place(g.user_id):
            response = _whole_reply(live)
    response.headers["Idempotent-Replayed"] = "true"
    return response


def _find_live(message: Message) -> LiveReply:
    """The reply, wherever it is or was written."""
    context = web_context()
    if message.status != "streaming":
        return closed_reply(message)
    live = context.runner.find_live(message.conversation_id, message.sequence_number)
    if live is not None and live.fencing_token == message.fencing_token:
        return live
    return context.mirrors.find(message)


def _take_follower() -> Callable[[], None]:
    """Raises `TooManyAtOnceError`. Returns what gives the place back."""
    followers, user_id = web_context().places.followers, g.user_id
    followers.take(user_id)
    return lambda: followers.leave(user_id)


def _stream(live: LiveReply, offset: int, on_close: Callable[[], None]) -> Response:
    context = web_context()
    progress = follow_reply(live, offset, context.leaving.is_set, context.pause_s)
    meta = _meta(live.conversation_id, live.sequence)
    events = write_events(meta, live.fencing_token, offset, progress)
    return stream_response(events, live.conversation_id, on_close)


def _whole_reply(live: LiveReply) -> Response:
    leaving = web_context().leaving.is_set
    conversation_id, sequence = live.conversation_id, live.sequence
    outcome = wait_for_outcome(live, leaving)
    while outcome is None and not leaving():  # it is being written anew, perhaps elsewhere
        live = _find_live(_own_reply(UUID(conversation_id), sequence))
        outcome = wait_for_outcome(live, leaving)
    if outcome is None:
        raise TransientError("The server is restarting; the reply will be kept.")
    place = {"conversation_id": conversation_id, "sequence": sequence}
    if outcome.error is not None:
        code = outcome.error_code or "internal"
        status = STATUS_OF_CODE.get(code, 500)
        response = error_response(status, code, outcome.error, reply=outcome.content, **place)
    else:
        response = jsonify(
            reply=outcome.content,
            model=outcome.model,
            provider=outcome.provider,
            status=outcome.status,
            finish_reason=outcome.finish_reason,
            **place,
        )
    response.headers["X-Conversation-Id"] = conversation_id
    return response


def _meta(conversation_id: ConversationId, sequence: int) -> dict[str, object]:
    model = web_context().services.settings.llm_model
    return {
        "conversation_id": conversation_id,
        "user_sequence": sequence - 1,
        "sequence": sequence,
        "model": model,
        "provider": provider_of(model),
    }


def _in_transaction(opening: Callable[..., OpenRound], *args: object) -> OpenRound:
    services = web_context().services
    with services.database.transaction() as connection:
        return opening(connection, *args, services.settings)


def _reopen(opening: Callable[..., OpenRound], *args: object) -> OpenRound:
    """Redis drops the turns that are being replaced: should this round be lost, so are they."""
    opened = _in_transaction(opening, *args)
    web_context().services.short_term.forget(opened.conversation.conversation_id)
    return opened


def _own_reply(conversation_id: UUID, sequence: int) -> Message:
    """Raises `NotFoundError`, also for another's conversation and for user messages."""
    own_id = ConversationId(str(conversation_id))
    with web_context().services.database.transaction() as connection:
        conversations.get_conversation(connection, g.user_id, own_id)
        return messages.get_message(connection, own_id, sequence)
