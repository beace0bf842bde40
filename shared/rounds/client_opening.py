"""Opens the round of a request in OpenAI's form. Only its new messages are stored, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from shared.agents import DEFAULT_AGENT
from shared.db import PgConnection
from shared.derivations.invalidation import invalidate_from
from shared.errors import AlreadySentError, ConflictError, KeyReusedError
from shared.models import Conversation, ConversationId, Message, NewConversation, OpenRound
from shared.models.clients import ClientTurn, StoredRun
from shared.policy.clients.client_messages import (
    ClientHistory,
    ClientRound,
    join_texts,
    payload_of,
    read_history,
)
from shared.policy.clients.decision import (
    Again,
    Append,
    Decision,
    Underway,
    decide,
    decide_named,
    decide_resent,
)
from shared.policy.clients.digests import (
    BEGINNING,
    chains_of,
    digest_asked,
    digest_reply,
    link,
    reply_digest_of,
)
from shared.policy.clients.recognition import NEWEST
from shared.policy.text import storable
from shared.rounds.requests import ClientRequest
from shared.settings import Settings
from shared.store import client_turns, conversations, messages, projects, replies, users, variants
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep.imported_conversations import ImportedMessage


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A request in OpenAI's form, while its round is opened."""

    connection: PgConnection
    request: ClientRequest
    history: ClientHistory
    settings: Settings


def open_client_round(
    connection: PgConnection, request: ClientRequest, settings: Settings
) -> OpenRound:
    """Find the request's conversation, store what is new, and begin a reply.

    The user is locked first: of two equal requests the second sees what the first has stored.
    Raises `AlreadySentError` for it, and otherwise as `open_round`.
    """
    users.ensure_user(connection, request.user_id)
    if request.time_zone is not None:
        users.keep_time_zone(connection, request.user_id, request.time_zone)
    if request.project is not None:
        projects.enter_project(connection, request.user_id, request.project)
    history = read_history(request.prompt.messages)
    _check_unsent(connection, request, history)
    opening = Opening(connection=connection, request=request, history=history, settings=settings)
    match decision := _decide(opening):
        case Underway():
            raise AlreadySentError(decision.conversation_id, decision.sequence)
        case Again():
            return _reopen(opening, decision)
        case Append():
            return _append(opening, decision)


def _check_unsent(connection: PgConnection, request: ClientRequest, history: ClientHistory) -> None:
    if request.idempotency_key is None:
        return
    message = messages.find_sent(connection, request.user_id, request.idempotency_key)
    if message is None:
        return
    turn = client_turns.find_turn(connection, message.conversation_id, message.sequence_number)
    if turn is None or turn.digest != digest_asked(history.current.request):
        raise KeyReusedError
    raise AlreadySentError(message.conversation_id, message.sequence_number + 1)


def _decide(opening: Opening) -> Decision:
    connection, request, history = opening.connection, opening.request, opening.history
    conversation_id = request.conversation_id
    if conversation_id is None and request.client_key is not None:
        conversation_id = conversations.find_by_source(
            connection, request.user_id, request.client_key
        )
    if conversation_id is not None:
        conversation = conversations.lock_conversation(connection, request.user_id, conversation_id)
        if request.project not in {None, conversation.project}:
            raise ConflictError("This conversation is not in that project.")
        return decide_named(history, client_turns.read_run(connection, conversation_id))
    if request.client_key is not None:
        return decide(history, [])
    if not history.past:
        runs = _find_runs(opening, _chains([history.current]), []) if request.is_resent else []
        return decide_resent(history, runs) or decide(history, [])
    newest = history.past[-NEWEST:]
    digests = [reply_digest_of(past.reply) for past in newest if past.reply_text.strip()]
    digests += [digest_asked(past.request) for past in newest if past.request]
    return decide(history, _find_runs(opening, _chains(history.past), digests))


def _chains(rounds: Sequence[ClientRound]) -> list[str]:
    return chains_of(rounds, BEGINNING)


def _find_runs(opening: Opening, chains: Sequence[str], digests: Sequence[str]) -> list[StoredRun]:
    connection, user_id = opening.connection, opening.request.user_id
    hits = client_turns.find_hits(connection, user_id, chains, digests)
    return [client_turns.read_run(connection, hit.conversation_id, hit.sequence) for hit in hits]


def _reopen(opening: Opening, again: Again) -> OpenRound:
    """Open the newest reply again, and discard what was derived from its old text."""
    connection, conversation_id, sequence = (
        opening.connection,
        again.conversation_id,
        again.sequence,
    )
    conversation = conversations.lock_conversation(
        connection, opening.request.user_id, conversation_id
    )
    variants.keep_variant(connection, conversation_id, sequence)
    token = replies.open_reply(connection, conversation_id, sequence, opening.settings.lease_s)
    invalidate_from(connection, conversation_id, sequence)
    message = messages.get_message(connection, conversation_id, sequence - 1)
    return _open_round(opening, conversation, message, token, again.repeats_from)


def _append(opening: Opening, new: Append) -> OpenRound:
    connection, request = opening.connection, opening.request
    conversation = _begin_or_lock(opening, new)
    conversation_id = conversation.conversation_id
    first = conversation.last_sequence + 1
    sequence = first + 2 * len(new.missing)
    chain = _import(opening, conversation, new)
    users.count_turn(connection, request.user_id)
    text = join_texts(
        client_message for client_message in new.request if client_message["role"] == "user"
    )
    added = messages.NewRound(
        conversation_id=conversation_id,
        sequence=sequence,
        content=text,
        idempotency_key=request.idempotency_key,
        lease_s=opening.settings.lease_s,
    )
    message, token = messages.add_round(connection, added)
    digest = digest_asked(opening.history.current.request)
    turn = ClientTurn(
        sequence_number=sequence,
        digest=digest,
        chain=link(chain, digest),
        payload=payload_of(new.request),
    )
    client_turns.save_turn(connection, request.user_id, conversation_id, turn)
    return _open_round(opening, conversation, message, token, new.repeats_from)


def _open_round(
    opening: Opening,
    conversation: Conversation,
    message: Message,
    token: int,
    repeats_from: int | None,
) -> OpenRound:
    request = opening.request
    return OpenRound(
        conversation=conversation,
        user_message=message,
        sequence=message.sequence_number + 1,
        fencing_token=token,
        time_zone=users.find_time_zone(opening.connection, request.user_id),
        client=replace(
            request.prompt, question=opening.history.question, repeats_from=repeats_from
        ),
    )


def _begin_or_lock(opening: Opening, new: Append) -> Conversation:
    connection, user_id = opening.connection, opening.request.user_id
    if new.conversation_id is not None:
        return conversations.lock_conversation(connection, user_id, new.conversation_id)
    new_one = NewConversation(
        user_id=user_id, agent=DEFAULT_AGENT, mode="active", project=opening.request.project
    )
    begun = conversations.add_conversation(connection, new_one)
    if opening.request.client_key is not None:
        conversations.set_source(connection, begun.conversation_id, opening.request.client_key)
    return begun


def _import(opening: Opening, conversation: Conversation, new: Append) -> str:
    """Store the past rounds that are stored nowhere yet. Returns the chain after them."""
    if not new.missing:
        return new.chain
    connection, conversation_id = opening.connection, conversation.conversation_id
    first = conversation.last_sequence + 1
    before = users.count_turns(connection, conversation.user_id, len(new.missing))
    past_messages = [_message(entry) for past in new.missing for entry in _texts_of(past)]
    imported.add_messages(connection, conversation_id, first, before - first // 2, past_messages)
    conversations.advance(connection, conversation_id, first + len(past_messages) - 1)
    chains = chains_of(new.missing, new.chain)
    for place, (past, chain) in enumerate(zip(new.missing, chains, strict=True)):
        _save_past(opening, conversation_id, first + 2 * place, past, chain)
    return chains[-1]


def _save_past(
    opening: Opening, conversation_id: ConversationId, sequence: int, past: ClientRound, chain: str
) -> None:
    connection, user_id = opening.connection, opening.request.user_id
    question = ClientTurn(
        sequence_number=sequence,
        digest=digest_asked(past.request),
        chain=chain,
        payload=payload_of(past.request),
    )
    reply = ClientTurn(
        sequence_number=sequence + 1,
        digest=digest_reply(past.reply_text),
        payload=payload_of(past.reply),
    )
    client_turns.save_turn(connection, user_id, conversation_id, question)
    client_turns.save_turn(connection, user_id, conversation_id, reply)


def _texts_of(past: ClientRound) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("user", past.text), ("assistant", past.reply_text)


def _message(entry: tuple[str, str]) -> ImportedMessage:
    role, text = entry
    return ImportedMessage(
        role=role,
        content=storable(text),
        status="complete",
        model=None,
        error=None,
        finish_reason=None,
        created_at=datetime.now(UTC),
    )
