"""`/v1/responses`."""

from __future__ import annotations

import time
import uuid
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, g, jsonify, request

from shared.errors import NotFoundError
from shared.models import ConversationId
from shared.models.clients import ClientMessage, ClientPrompt
from shared.rounds import outcomes
from shared.store import client_turns, conversations, messages, responses
from shared.store.responses import StoredResponse
from web.openai.errors import BadParameterError
from web.openai.forms import read_openai_form
from web.openai.models import check_model
from web.openai.named_addresses import check_addresses
from web.openai.openai_streams import stream_reply
from web.openai.responses.forms import (
    ResponseForm,
    check_response_form,
    messages_of,
    options_of,
)
from web.openai.responses.response_answers import ResponseHead, input_item, response_json
from web.openai.responses.response_events import write_response_events
from web.openai.rounds import (
    Reply,
    begin_reply,
    failed_response,
    name_conversation,
    stored_extras,
    wait_for_end,
)
from web.process.context import transaction, web_context
from web.requests.callers import needs

blueprint = Blueprint("openai_responses", __name__, url_prefix="/v1/responses")

REPEATED_ROUNDS = 20  # of the conversation, before a new message; recall knows the older ones


@blueprint.post("")
@needs("chat")
def create_response() -> Response:
    """Answer an input, after a former response or by itself."""
    form = read_openai_form(request, ResponseForm)
    check_response_form(form)
    new_messages = messages_of(form.input)
    check_addresses(new_messages, "input")
    context = web_context()
    former = _read_before(form.previous_response_id)
    conversation_id, before = former.conversation_id, former.messages
    preface = [{"role": "system", "content": form.instructions}] if form.instructions else []
    model = check_model(form.model)
    prompt = ClientPrompt(
        model=model,
        messages=(*preface, *before, *new_messages),
        options=options_of(form),
    )
    head = ResponseHead(
        response_id=f"resp_{uuid.uuid4().hex}",
        created_at=int(time.time()),
        model=model,
        repeated=form.repeated,
    )
    metadata = dict(form.metadata or {})
    if conversation_id is not None:
        metadata["conversation_id"] = conversation_id
    if former.project is not None:  # what was said there stays there
        metadata["project"] = former.project
    with ExitStack() as slot:
        if form.stream:
            slot.enter_context(context.limits.followers.slot(g.user_id))
        reply = begin_reply(prompt, metadata)
        if reply.is_stored and form.store is not False:
            _store(head, reply)
        write = partial(write_response_events, head)
        answer = stream_reply(reply, slot, write) if form.stream else _whole(head, reply)
        return name_conversation(reply, answer)


@blueprint.get("/<response_id>")
@needs("chat")
def get_response(response_id: str) -> Response:
    """A response that was not sent with `store` false."""
    with transaction() as connection:
        stored = responses.get_response(connection, g.user_id, response_id)
        message = messages.get_message(connection, stored.conversation_id, stored.sequence)
        extras = stored_extras(connection, stored.conversation_id, stored.sequence)
    head = ResponseHead(
        response_id=response_id,
        created_at=int(stored.created_at.timestamp()),
        model=message.model or web_context().services.models.settings().chat_model,
        repeated=stored.request,
    )
    closed = None if message.status == "streaming" else outcomes.stored(message)
    return jsonify(response_json(head, closed and replace(closed, extras=extras)))


@blueprint.get("/<response_id>/input_items")
@needs("chat")
def list_input_items(response_id: str) -> Response:
    """What the response answers, newest first; `order=asc` gives the order in which it was sent."""
    with transaction() as connection:
        stored = responses.get_response(connection, g.user_id, response_id)
        at = stored.sequence - 1
        sent_messages = client_turns.list_sent(connection, stored.conversation_id, at, at)
    items = [input_item(response_id, place, message) for place, message in enumerate(sent_messages)]
    if request.args.get("order") != "asc":
        items.reverse()
    ends = [item["id"] for item in items[:1] + items[-1:]] or [None, None]
    return jsonify(object="list", data=items, first_id=ends[0], last_id=ends[-1], has_more=False)


@blueprint.delete("/<response_id>")
@needs("chat")
def delete_response(response_id: str) -> Response:
    """Forget the id. The message stays in its conversation."""
    with transaction() as connection:
        responses.delete_response(connection, g.user_id, response_id)
    return jsonify(id=response_id, object="response", deleted=True)


class Former(NamedTuple):
    """What stands before the input."""

    messages: list[ClientMessage]
    #: None: something follows there, or nothing stands before.
    conversation_id: ConversationId | None = None
    project: str | None = None


def _read_before(response_id: str | None) -> Former:
    """The newest messages up to a former response; its conversation, if nothing follows there.

    What goes on from an older response is recognised as another branch.
    """
    if response_id is None:
        return Former([])
    try:
        with transaction() as connection:
            former = responses.get_response(connection, g.user_id, response_id)
            conversation_id, end = former.conversation_id, former.sequence
            first = max(0, end + 1 - 2 * REPEATED_ROUNDS)
            sent_messages = client_turns.list_sent(connection, conversation_id, first, end)
            newest = messages.find_last_sequence(connection, conversation_id)
            conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
    except NotFoundError as exc:
        param = "previous_response_id"
        raise BadParameterError(param, f"Previous response '{response_id}' not found.") from exc
    return Former(sent_messages, conversation_id if newest == end else None, conversation.project)


def _store(head: ResponseHead, reply: Reply) -> None:
    attempt = reply.live.attempt
    stored = StoredResponse(
        response_id=head.response_id,
        conversation_id=attempt.conversation_id,
        sequence=attempt.sequence,
        request=head.repeated,
        created_at=datetime.fromtimestamp(head.created_at, UTC),
    )
    with transaction() as connection:
        responses.add_response(connection, g.user_id, stored)


def _whole(head: ResponseHead, reply: Reply) -> Response:
    outcome = wait_for_end(reply)
    if outcome.error is not None:
        return failed_response(outcome)
    return jsonify(response_json(head, outcome))
