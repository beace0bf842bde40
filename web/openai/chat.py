"""`POST /v1/chat/completions`."""

from __future__ import annotations

import time
import uuid
from contextlib import ExitStack
from functools import partial

from flask import Blueprint, Response, g, jsonify, request

from shared.models.clients import ClientPrompt
from web.openai.completions import Head, completion_json, write_chunks
from web.openai.forms import CompletionForm, check_supported, read_openai_form
from web.openai.models import check_model
from web.openai.named_addresses import check_addresses
from web.openai.openai_streams import stream_reply
from web.openai.rounds import (
    Reply,
    begin_reply,
    failed_response,
    name_conversation,
    wait_for_end,
)
from web.process.context import web_context
from web.requests.callers import needs

blueprint = Blueprint("openai_chat", __name__, url_prefix="/v1")


@blueprint.post("/chat/completions")
@needs("chat")
def create_completion() -> Response:
    """Answer a list of messages, as a whole or in chunks. What is new of them is remembered."""
    form = read_openai_form(request, CompletionForm)
    check_supported(form)
    messages = tuple(message.model_dump(exclude_unset=True) for message in form.messages)
    check_addresses(messages)
    context = web_context()
    model = check_model(form.model)
    prompt = ClientPrompt(
        model=model,
        messages=messages,
        options=form.options,
    )
    head = Head(
        completion_id=f"chatcmpl-{uuid.uuid4().hex}",
        created=int(time.time()),
        model=model,
    )
    with ExitStack() as slot:
        if form.stream:
            slot.enter_context(context.limits.followers.slot(g.user_id))
        reply = begin_reply(prompt, form.metadata)
        write = partial(write_chunks, head, include_usage=form.includes_usage)
        answer = stream_reply(reply, slot, write) if form.stream else _whole(head, reply)
        return name_conversation(reply, answer)


def _whole(head: Head, reply: Reply) -> Response:
    outcome = wait_for_end(reply)
    if outcome.error is not None:
        return failed_response(outcome)
    return jsonify(completion_json(head, outcome))
