"""Temporary chats: nothing of them is stored, and no memory is used.

The client holds what was said and sends all of it each time. The reply is written in this process
and sent to the one who asked; it is in no database, in no Redis and in no log.
"""

from __future__ import annotations

from contextlib import ExitStack

from flask import Blueprint, Response, g, jsonify
from pydantic import Field

from shared.agents import DEFAULT_AGENT, get_agent
from shared.errors import InvalidRequestError, NotFoundError, TransientError
from shared.models import FinishReason, MessageStatus, Outcome, Role
from shared.models.clients import ClientPrompt
from shared.rounds.followers import follow_reply, wait_for_outcome
from shared.rounds.live_reply import LiveReply
from web.api.answers import Answer
from web.api.operation import operation
from web.api.patterns import AgentName, MessageText, ModelName
from web.errors import STATUS_OF_CODE, error_response
from web.fields.offered_models import choose_model
from web.fields.persona_ids import PersonaId, find_persona
from web.process.context import web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_text
from web.streaming.first_token import observe_first_token
from web.streaming.sse import DESCRIPTION, stream_response, write_events
from web.views.chat import MODEL_ERRORS

blueprint = Blueprint("temporary", __name__)

MAX_MESSAGES = 400


class SaidForm(StrictForm):
    """A message of a temporary chat."""

    role: Role
    content: MessageText


class TemporaryForm(StrictForm):
    """All messages of a temporary chat, the newest last: it is the user's."""

    messages: list[SaidForm] = Field(min_length=1, max_length=MAX_MESSAGES)
    agent: AgentName | None = Field(default=None, description="One of the agents.")
    persona_id: PersonaId | None = Field(default=None, description="The persona that answers.")
    model: ModelName | None = Field(
        default=None,
        description="Null is the site's default. Without this field, the persona's model answers.",
    )
    stream: bool = Field(default=False, description="Answer with server-sent events.")


class TemporaryAnswer(Answer):
    reply: str
    model: str | None
    status: MessageStatus
    finish_reason: FinishReason | None


@blueprint.post("/chat/temporary")
@needs("chat")
@operation(
    answer=TemporaryAnswer,
    raises=(*MODEL_ERRORS, NotFoundError),
    other_types={"text/event-stream": DESCRIPTION},
)
def chat_temporarily(form: TemporaryForm) -> Response:
    """Answer a chat of which nothing is stored.

    A stream ends with its connection: there is nothing to come back to.
    """
    prompt = _prompt(form)
    with ExitStack() as slot:
        if form.stream:
            slot.enter_context(web_context().limits.followers.slot(g.user_id))
        live = web_context().runner.start_unstored(g.user_id, prompt, recalls=False)
        observe_first_token(live)
        return _stream(live, slot) if form.stream else _whole(live)


def _prompt(form: TemporaryForm) -> ClientPrompt:
    """Raises `InvalidRequestError` unless the last message is the user's."""
    context = web_context()
    if form.messages[-1].role != "user":
        raise InvalidRequestError("messages: the last one is not the user's.")
    messages = [
        {"role": message.role, "content": check_text(message.content)} for message in form.messages
    ]
    persona = find_persona(form.persona_id)
    model = choose_model(form.model, persona, is_named="model" in form.model_fields_set)
    instructions = get_agent(form.agent or DEFAULT_AGENT).prompt
    if persona is not None:
        instructions = persona.text.instructions
    return ClientPrompt(
        model=context.services.models.settings().chosen_model(model),
        messages=({"role": "system", "content": instructions}, *messages),
        question=str(messages[-1]["content"]),
    )


def _stream(live: LiveReply, slot: ExitStack) -> Response:
    """Whoever leaves stops the reply: nobody could read it any more."""
    context = web_context()
    slot.callback(live.stop_asked.set)
    meta: dict[str, object] = {"model": live.model, "temporary": True}
    progress = follow_reply(live, 0, context.stream_ends(), context.pause_s)
    name = context.attempt_names.name(live.attempt.fencing_token)
    events = write_events(meta, name, 0, progress, lambda _: None)
    return stream_response(events, None, slot.pop_all().close)


def _whole(live: LiveReply) -> Response:
    outcome = wait_for_outcome(live, web_context().leaving.is_set)
    if outcome is None:
        raise TransientError("The server is restarting.")
    return _answer(outcome)


def _answer(outcome: Outcome) -> Response:
    if outcome.error is not None:
        code = outcome.error_code or "internal"
        status = STATUS_OF_CODE.get(code, 500)
        return error_response(status, code, outcome.error, reply=outcome.content)
    answer = TemporaryAnswer(
        reply=outcome.content,
        model=outcome.model,
        status=outcome.status,
        finish_reason=outcome.finish_reason,
    )
    return jsonify(answer.as_json())
