"""Begins the round of a client's request, or finds the round that answers it already."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, g, request

from shared.db import PgConnection
from shared.errors import AlreadySentError
from shared.models import ConversationId, Outcome
from shared.models.clients import ClientPrompt
from shared.models.memory_scope import MemoryScope, memory_of
from shared.models.projects import ProjectText
from shared.policy.clients.client_messages import read_history
from shared.policy.clients.client_tasks import is_client_task
from shared.policy.reasoning import kept_reasoning
from shared.rounds.live_reply import LiveReply
from shared.rounds.requests import ClientRequest
from shared.store import client_turns, conversations, projects
from web.errors import STATUS_OF_CODE
from web.fields.time_zone import read_time_zone
from web.openai.errors import openai_error, outcome_error
from web.openai.forms import (
    check_asked,
    is_resent,
    read_client_key,
    read_conversation_id,
    read_memory_use,
    read_project,
)
from web.process.context import transaction, web_context
from web.process.live_replies import find_live, get_reply, wait_for_reply
from web.requests.forms import read_key
from web.streaming.first_token import observe_first_token

# A stream begins with its first word, so that an error before it has an HTTP status of its own.
# A client whose model is slower than this gets its headers first.
FIRST_WORD_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The reply to a client's request, which may still be being written."""

    live: LiveReply
    #: None: the round is not stored.
    conversation_id: ConversationId | None
    is_replayed: bool = False
    is_stored: bool = True


def begin_reply(prompt: ClientPrompt, metadata: dict[str, Any] | None) -> Reply:
    """Begin the reply to a request. Whatever it raises is raised before anything is written."""
    context = web_context()
    history = read_history(prompt.messages)
    check_asked(history.current)
    conversation_id = read_conversation_id(request, metadata)
    use = read_memory_use(request, metadata)
    project = read_project(request, metadata)
    is_said = bool(history.current.request) and not is_client_task(history)
    if use != "on" or not is_said:
        prompt = replace(prompt, question=history.question)
        live = context.runner.start_unstored(
            g.user_id,
            prompt,
            recalls=use == "read" and is_said,
            memory=_find_memory(conversation_id, project),
        )
        return Reply(live=live, conversation_id=conversation_id, is_stored=False)
    return _begin_stored(
        ClientRequest(
            user_id=g.user_id,
            prompt=prompt,
            conversation_id=conversation_id,
            client_key=None if conversation_id else read_client_key(request),
            project=project.name if project else None,
            idempotency_key=read_key(request),
            is_resent=is_resent(request),
            time_zone=read_time_zone(request, None),
        )
    )


def _begin_stored(client_request: ClientRequest) -> Reply:
    try:
        live = web_context().runner.start(client_request)
    except AlreadySentError as error:
        conversation_id = ConversationId(error.conversation_id)
        live = find_live(get_reply(conversation_id, error.sequence))
        return Reply(live=live, conversation_id=conversation_id, is_replayed=True)
    observe_first_token(live)
    return Reply(live=live, conversation_id=live.attempt.conversation_id)


def _find_memory(
    conversation_id: ConversationId | None, project: ProjectText | None
) -> MemoryScope:
    """The conversation's, else the project's. Raises `NotFoundError`."""
    if conversation_id is None:
        return memory_of(project.name if project and project.own_memory else None)
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        return memory_of(projects.find_memory(connection, conversation_id))


def wait_for_end(reply: Reply) -> Outcome:
    """Wait for the end of the reply. Raises `TransientError` when the server stops meanwhile."""
    with ExitStack() as slot:
        if reply.is_replayed:
            slot.enter_context(web_context().limits.waiting.slot(g.user_id))
        outcome = wait_for_reply(reply.live, is_stored=reply.is_stored)
    return with_extras(reply, outcome)


def early_outcome(reply: Reply) -> Outcome | None:
    """The outcome of a reply that ends before its first word. None: a word came, or none yet."""
    news = reply.live.wait_for_news(FIRST_WORD_S)
    return news.outcome if news.outcome is not None and not news.text else None


def with_extras(reply: Reply, outcome: Outcome) -> Outcome:
    """The outcome with what is stored beside its text, if it was read from the database."""
    if outcome.extras or not reply.is_replayed or reply.conversation_id is None:
        return outcome
    attempt = reply.live.attempt
    with transaction() as connection:
        extras = stored_extras(connection, attempt.conversation_id, attempt.sequence)
    if reasoning := kept_reasoning(outcome.trace):
        extras = {"reasoning_content": reasoning, **extras}
    return replace(outcome, extras=extras)


def stored_extras(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> dict[str, Any]:
    """The fields of a stored reply beside its text, in OpenAI's form."""
    turn = client_turns.find_turn(connection, conversation_id, sequence)
    message = turn.payload[0] if turn and turn.payload else {}
    return {name: message[name] for name in message if name not in {"role", "content"}}


def failed_response(outcome: Outcome) -> Response:
    return openai_error(*outcome_error(outcome, STATUS_OF_CODE))


def name_conversation(reply: Reply, response: Response) -> Response:
    if reply.conversation_id is not None:
        response.headers["X-Conversation-Id"] = reply.conversation_id
    if reply.is_replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response
