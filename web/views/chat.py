"""Rounds over HTTP: send, follow, stop, retry, continue, reword."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TypeVar

from flask import Blueprint, Response, g, request
from pydantic import Field, JsonValue

from shared.agents import DEFAULT_AGENT, get_agent
from shared.errors import (
    AlreadySentError,
    ConflictError,
    FileGoneError,
    InputTooLongError,
    KeyReusedError,
    ModelRefusedError,
    ModelTimeoutError,
    RoundInProgressError,
)
from shared.models import ConversationId, Mode
from shared.models.library import Persona
from shared.models.projects import ProjectText
from shared.rounds.requests import (
    BranchRequest,
    Continuation,
    NewMessage,
    Retry,
    Rewording,
    RoundRequest,
)
from web.api.answers import Answer
from web.api.operation import operation
from web.api.patterns import AgentName, MessageText, ModelName, TimeZone
from web.fields.offered_models import choose_model
from web.fields.persona_ids import PersonaId, find_persona
from web.fields.project_names import ProjectName, find_project
from web.fields.time_zone import read_time_zone
from web.process.context import web_context
from web.process.live_replies import find_live, get_reply
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_attachments, check_text, read_key
from web.requests.queries import Id, Query
from web.streaming.first_token import observe_first_token
from web.streaming.reply_answers import ReplyAnswer, answer_stream, answer_whole
from web.streaming.sse import DESCRIPTION, read_position

blueprint = Blueprint("chat", __name__)


ROUND = "/chat/<conversation:conversation_id>/<int:sequence>"
MODEL_ERRORS = (RoundInProgressError, InputTooLongError, ModelRefusedError, ModelTimeoutError)
KEYED = (*MODEL_ERRORS, KeyReusedError, FileGoneError)
STREAM = {"text/event-stream": DESCRIPTION}
Reworded = TypeVar("Reworded", Rewording, BranchRequest)
UNIQUE: dict[str, JsonValue] = {"uniqueItems": True}
MOST_FILES = 10  # the setting allows no more
MODEL = (
    "Answers from now on in this conversation. Where one begins without this field, its project's "
    "or persona's model does; with null, the site's default."
)
FILES = "Files of the message, by the ids of their uploads, in this order."
HEADERS = {"X-Conversation-Id": "The conversation's id."}


class ChatForm(StrictForm):
    """A message."""

    message: MessageText = Field(examples=["Hello, my name is Alexander."])
    agent: AgentName | None = Field(default=None, description="One of the agents.")
    stream: bool = Field(default=False, description="Answer with server-sent events.")
    persona_id: PersonaId | None = Field(
        default=None, description="Of a new conversation: the persona that answers."
    )
    conversation_id: Id | None = Field(default=None, description="None begins a conversation.")
    mode: Mode | None = None
    attachments: list[Id] = Field(
        default=[], max_length=MOST_FILES, description=FILES, json_schema_extra=UNIQUE
    )
    model: ModelName | None = Field(default=None, description=MODEL)
    project: ProjectName | None = Field(
        default=None, description="Of a new conversation: the project that it is in."
    )
    time_zone: TimeZone | None = None


class RetryForm(StrictForm):
    stream: bool = False


class EditForm(RetryForm):
    """The new text of a message."""

    message: MessageText
    time_zone: TimeZone | None = None


class StreamQuery(Query):
    last_event_id: str | None = Field(
        default=None,
        pattern=r"^([0-9]{1,18}-[0-9]{1,9})?$",
        description="As the header `Last-Event-ID`.",
        examples=["17-42"],
    )


class StoppingAnswer(Answer):
    stopping: bool


@blueprint.post("/chat")
@needs("chat")
@operation(answer=ReplyAnswer, raises=KEYED, other_types=STREAM, headers=HEADERS, takes_key=True)
def chat(form: ChatForm) -> Response:
    """Send a message. Answers with the whole reply, or with its stream.

    Sent again with the same `Idempotency-Key`, it is answered with the reply to the first one.
    """
    project = None if form.conversation_id else find_project(form.project)
    persona = None if form.conversation_id else find_persona(_persona_id(form, project))
    new = NewMessage(
        user_id=g.user_id,
        text=check_text(form.message),
        conversation_id=ConversationId(form.conversation_id) if form.conversation_id else None,
        agent=get_agent(form.agent or DEFAULT_AGENT).name,
        mode=form.mode or (persona.text.mode if persona else "active"),
        attachments=check_attachments(form.attachments),
        model=_choose_model(form, persona, project),
        persona_id=persona.entry_id if persona else None,
        project=project.name if project else None,
        idempotency_key=read_key(request),
        time_zone=read_time_zone(request, form.time_zone),
    )
    return _answer(new, stream=form.stream)


@blueprint.post(f"{ROUND}/retry")
@needs("chat")
@operation(answer=ReplyAnswer, raises=MODEL_ERRORS, other_types=STREAM, headers=HEADERS)
def retry(conversation_id: ConversationId, sequence: int, form: RetryForm) -> Response:
    """Write the newest reply once more."""
    round_request = Retry(user_id=g.user_id, conversation_id=conversation_id, sequence=sequence)
    return _answer(round_request, stream=form.stream)


@blueprint.post(f"{ROUND}/continue")
@needs("chat")
@operation(answer=ReplyAnswer, raises=MODEL_ERRORS, other_types=STREAM, headers=HEADERS)
def go_on(conversation_id: ConversationId, sequence: int, form: RetryForm) -> Response:
    """Go on with the newest reply where it was cut off.

    Answers as `retry` does, with the whole reply: the old text and the new.
    """
    round_request = Continuation(
        user_id=g.user_id, conversation_id=conversation_id, sequence=sequence
    )
    return _answer(round_request, stream=form.stream)


@blueprint.post(f"{ROUND}/edit")
@needs("chat")
@operation(answer=ReplyAnswer, raises=KEYED, other_types=STREAM, headers=HEADERS, takes_key=True)
def edit(conversation_id: ConversationId, sequence: int, form: EditForm) -> Response:
    """Change the text of the newest user message; answers as `chat` does."""
    new = _reworded(Rewording, conversation_id, sequence, form)
    return _answer(new, stream=form.stream)


@blueprint.post(f"{ROUND}/branch")
@needs("chat")
@operation(answer=ReplyAnswer, raises=KEYED, other_types=STREAM, headers=HEADERS, takes_key=True)
def branch(conversation_id: ConversationId, sequence: int, form: EditForm) -> Response:
    """Send a user message in other words, in a new conversation with the messages before it.

    Answers as `chat` does, for the new conversation. The old one stays as it is.
    """
    new = _reworded(BranchRequest, conversation_id, sequence, form)
    return _answer(new, stream=form.stream)


@blueprint.post(f"{ROUND}/stop")
@needs("chat")
@operation(202, raises=(ConflictError,))
def stop(conversation_id: ConversationId, sequence: int) -> tuple[StoppingAnswer, int]:
    """End a reply early; what was written is kept."""
    message = get_reply(conversation_id, sequence)
    if message.status != "streaming":
        raise ConflictError("This reply is not being written any more.")
    web_context().runner.ask_to_stop(message.attempt)
    return StoppingAnswer(stopping=True), 202


@blueprint.get(f"{ROUND}/stream")
@needs("chat")
@operation(other_types=STREAM, headers=HEADERS)
def follow(conversation_id: ConversationId, sequence: int, query: StreamQuery) -> Response:
    """Follow a reply from `Last-Event-ID` on: finished, or being written by any process."""
    position = read_position(request, query.last_event_id)
    message = get_reply(conversation_id, sequence)
    name = web_context().attempt_names.name(message.attempt.fencing_token)
    is_same = position is not None and position.attempt == name
    offset = position.offset if position and is_same else 0
    with ExitStack() as slot:
        slot.enter_context(web_context().limits.followers.slot(g.user_id))
        return answer_stream(find_live(message), offset, slot)


def _persona_id(form: ChatForm, project: ProjectText | None) -> int | None:
    """The project's, unless the request says who answers."""
    is_named = form.model_fields_set & {"persona_id", "agent"}
    return form.persona_id if is_named or project is None else project.persona_id


def _choose_model(
    form: ChatForm, persona: Persona | None, project: ProjectText | None
) -> str | None:
    """What the request names, else the project's, else the persona's."""
    is_named = "model" in form.model_fields_set
    if project is not None and project.model is not None and not is_named:
        return project.model
    return choose_model(form.model, persona, is_named=is_named)


def _reworded(
    kind: type[Reworded], conversation_id: ConversationId, sequence: int, form: EditForm
) -> Reworded:
    return kind(
        user_id=g.user_id,
        conversation_id=conversation_id,
        sequence=sequence,
        text=check_text(form.message),
        idempotency_key=read_key(request),
        time_zone=read_time_zone(request, form.time_zone),
    )


def _answer(round_request: RoundRequest, *, stream: bool) -> Response:
    """Begin the round. A follower's slot is taken before anything is written."""
    context = web_context()
    with ExitStack() as slot:
        if stream:
            slot.enter_context(context.limits.followers.slot(g.user_id))
        try:
            live = context.runner.start(round_request)
        except AlreadySentError as error:
            slot.close()
            return _answer_again(error, stream=stream)
        observe_first_token(live)
        return answer_stream(live, 0, slot) if stream else answer_whole(live)


def _answer_again(error: AlreadySentError, *, stream: bool) -> Response:
    """Answer with the reply to the first sending, which may still be being written."""
    limits = web_context().limits
    with ExitStack() as slot:
        live = find_live(get_reply(ConversationId(error.conversation_id), error.sequence))
        limit = limits.followers if stream else limits.waiting
        slot.enter_context(limit.slot(g.user_id))
        response = answer_stream(live, 0, slot) if stream else answer_whole(live)
    response.headers["Idempotent-Replayed"] = "true"
    return response
