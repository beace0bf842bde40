"""`POST /v1/completions`: a prompt without roles, as a conversation's user message."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

from flask import Blueprint, Response, g, jsonify, request
from pydantic import Field

from shared.models import Outcome
from shared.models.clients import ClientPrompt
from shared.rounds.followers import Progress
from web.openai.completions import finish_reason, sse, usage_json, write_events
from web.openai.errors import BadParameterError
from web.openai.forms import SharedFields, check_stream_options, read_openai_form
from web.openai.models import check_model
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

blueprint = Blueprint("openai_legacy", __name__, url_prefix="/v1")

OWN_FIELDS = frozenset(
    {"model", "prompt", "stream", "stream_options", "n", "best_of", "metadata", "store"}
)
REFUSED = {
    "logprobs": "Log probabilities are not passed on.",
    "suffix": "Texts are continued, not filled in.",
    "echo": "The prompt is not repeated.",
}


class LegacyForm(SharedFields):
    """`POST /v1/completions`."""

    prompt: str | list[str] = Field(min_length=1)
    best_of: int | None = None


@blueprint.post("/completions")
@needs("chat")
def create_text_completion() -> Response:
    """Answer a prompt. A list of several is refused."""
    form = read_openai_form(request, LegacyForm)
    _check(form)
    texts = [form.prompt] if isinstance(form.prompt, str) else form.prompt
    model = check_model(form.model)
    prompt = ClientPrompt(
        model=model,
        messages=({"role": "user", "content": texts[0]},),
        options=form.options_but(OWN_FIELDS),
    )
    head = {
        "id": f"cmpl-{uuid.uuid4().hex}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": model,
    }
    with ExitStack() as slot:
        if form.stream:
            slot.enter_context(web_context().limits.followers.slot(g.user_id))
        reply = begin_reply(prompt, form.metadata)
        write = partial(_write_pieces, head, include_usage=form.includes_usage)
        answer = stream_reply(reply, slot, write) if form.stream else _whole(head, reply)
        return name_conversation(reply, answer)


def _check(form: LegacyForm) -> None:
    check_stream_options(form)
    for name, count in (("n", form.n), ("best_of", form.best_of)):
        if count not in {None, 1}:
            raise BadParameterError(name, f"{name}: only one choice is answered.")
    if isinstance(form.prompt, list) and len(form.prompt) > 1:
        raise BadParameterError("prompt", "prompt: one text at a time.")
    for name, why in REFUSED.items():
        if form.options_but(OWN_FIELDS).get(name):
            raise BadParameterError(name, f"{name}: {why}")


def _whole(head: dict[str, Any], reply: Reply) -> Response:
    outcome = wait_for_end(reply)
    if outcome.error is not None:
        return failed_response(outcome)
    choices = [_choice(outcome.content, finish_reason(outcome))]
    model = outcome.model or head["model"]
    return jsonify(head | {"model": model, "choices": choices, "usage": usage_json(outcome)})


def _write_pieces(
    head: dict[str, Any], progress: AsyncIterator[Progress], *, include_usage: bool
) -> AsyncGenerator[str, None]:
    """Write chunks like a chat's, but each with its text alone."""

    def write_text(text: str) -> str:
        return sse(head | {"choices": [_choice(text, None)]})

    def write_end(outcome: Outcome) -> Iterator[str]:
        yield sse(head | {"choices": [_choice("", finish_reason(outcome))]})
        if include_usage:
            yield sse(head | {"choices": [], "usage": usage_json(outcome)})

    return write_events(progress, write_text, write_end)


def _choice(text: str, reason: str | None) -> dict[str, Any]:
    return {"index": 0, "text": text, "logprobs": None, "finish_reason": reason}
