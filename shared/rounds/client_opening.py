"""Opens the round of a request in OpenAI's form: what is new of it is stored, and once only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from shared.agents import DEFAULT_AGENT
from shared.db import PgConnection
from shared.derivations.invalidation import invalidate_from
from shared.errors import AlreadySentError, KeyReusedError
from shared.models import Conversation, ConversationId, Message, NewConversation, OpenRound
from shared.models.clients import ClientTurn, StoredRun
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
from shared.policy.clients.messages import (
    ClientHistory,
    ClientRound,
    join_texts,
    payload_of,
    read_history,
)
from shared.policy.clients.recognition import NEWEST
from shared.policy.text import storable
from shared.rounds.requests import ClientRequest
from shared.settings import Settings
from shared.store import client_turns, conversations, messages, replies, users, variants
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep.imported_conversations import ImportedMessage


@dataclass(frozen=True, kw_only=True)
class Opening:
    """One request, while its round is opened."""

    connection: PgConnection
    asked: ClientRequest
    history: ClientHistory
    settings: Settings


def open_client_round(
    connection: PgConnection, asked: ClientRequest, settings: Settings
) -> OpenRound:
    """Find the request's conversation, store what is new, and begin a reply.

    The user is locked first: of two equal requests the second sees what the first has stored.
    Raises `AlreadySentError` for it, and otherwise as `open_round`.
    """
    users.ensure_user(connection, asked.user_id)
    if asked.time_zone is not None:
        users.keep_time_zone(connection, asked.user_id, asked.time_zone)
    history = read_history(asked.prompt.messages)
    _check_unsent(connection, asked, history)
    opening = Opening(connection=connection, asked=asked, history=history, settings=settings)
    match decision := _decide(opening):
        case Underway():
            raise AlreadySentError(decision.conversation_id, decision.sequence)
        case Again():
            return _reopen(opening, decision)
        case Append():
            return _append(opening, decision)


def _check_unsent(connection: PgConnection, asked: ClientRequest, history: ClientHistory) -> None:
    if asked.idempotency_key is None:
        return
    sent = messages.find_sent(connection, asked.user_id, asked.idempotency_key)
    if sent is None:
        return
    turn = client_turns.find_turn(connection, sent.conversation_id, sent.sequence_number)
    if turn is None or turn.digest != digest_asked(history.asked.asked):
        raise KeyReusedError
    raise AlreadySentError(sent.conversation_id, sent.sequence_number + 1)


def _decide(opening: Opening) -> Decision:
    connection, asked, history = opening.connection, opening.asked, opening.history
    own_id = asked.conversation_id
    if own_id is None and asked.client_key is not None:
        own_id = conversations.find_by_source(connection, asked.user_id, asked.client_key)
    if own_id is not None:
        conversations.lock_conversation(connection, asked.user_id, own_id)
        return decide_named(history, client_turns.read_run(connection, own_id))
    if asked.client_key is not None:
        return decide(history, [])
    if not history.past:
        runs = _find_runs(opening, _chains([history.asked]), []) if asked.is_resent else []
        return decide_resent(history, runs) or decide(history, [])
    newest = history.past[-NEWEST:]
    digests = [reply_digest_of(one.reply) for one in newest if one.reply_text.strip()]
    digests += [digest_asked(one.asked) for one in newest if one.asked]
    return decide(history, _find_runs(opening, _chains(history.past), digests))


def _chains(rounds: Sequence[ClientRound]) -> list[str]:
    return chains_of(rounds, BEGINNING)


def _find_runs(opening: Opening, chains: Sequence[str], digests: Sequence[str]) -> list[StoredRun]:
    connection, user_id = opening.connection, opening.asked.user_id
    hits = client_turns.find_hits(connection, user_id, chains, digests)
    return [client_turns.read_run(connection, hit.conversation_id, hit.sequence) for hit in hits]


def _reopen(opening: Opening, again: Again) -> OpenRound:
    """Open the newest reply again, and discard what was derived from its old text."""
    connection, own_id, sequence = opening.connection, again.conversation_id, again.sequence
    conversation = conversations.lock_conversation(connection, opening.asked.user_id, own_id)
    variants.keep_variant(connection, own_id, sequence)
    token = replies.open_reply(connection, own_id, sequence, opening.settings.lease_s)
    invalidate_from(connection, own_id, sequence)
    message = messages.get_message(connection, own_id, sequence - 1)
    return _opened(opening, conversation, message, token, again.repeats_from)


def _append(opening: Opening, new: Append) -> OpenRound:
    connection, asked = opening.connection, opening.asked
    conversation = _begin_or_lock(opening, new)
    own_id = conversation.conversation_id
    first = conversation.last_sequence + 1
    sequence = first + 2 * len(new.missing)
    chain = _import(opening, conversation, new)
    users.count_turn(connection, asked.user_id)
    text = join_texts(one for one in new.asked if one["role"] == "user")
    added = messages.NewRound(
        conversation_id=own_id,
        sequence=sequence,
        content=text,
        idempotency_key=asked.idempotency_key,
        lease_s=opening.settings.lease_s,
    )
    message, token = messages.add_round(connection, added)
    digest = digest_asked(opening.history.asked.asked)
    turn = ClientTurn(
        sequence_number=sequence,
        digest=digest,
        chain=link(chain, digest),
        payload=payload_of(new.asked),
    )
    client_turns.save_turn(connection, asked.user_id, own_id, turn)
    return _opened(opening, conversation, message, token, new.repeats_from)


def _opened(
    opening: Opening,
    conversation: Conversation,
    message: Message,
    token: int,
    repeats_from: int | None,
) -> OpenRound:
    asked = opening.asked
    return OpenRound(
        conversation=conversation,
        user_message=message,
        sequence=message.sequence_number + 1,
        fencing_token=token,
        time_zone=users.find_time_zone(opening.connection, asked.user_id),
        client=replace(asked.prompt, question=opening.history.question, repeats_from=repeats_from),
    )


def _begin_or_lock(opening: Opening, new: Append) -> Conversation:
    connection, user_id = opening.connection, opening.asked.user_id
    if new.conversation_id is not None:
        return conversations.lock_conversation(connection, user_id, new.conversation_id)
    new_one = NewConversation(user_id=user_id, agent=DEFAULT_AGENT, mode="active")
    begun = conversations.add_conversation(connection, new_one)
    if opening.asked.client_key is not None:
        conversations.set_source(connection, begun.conversation_id, opening.asked.client_key)
    return begun


def _import(opening: Opening, conversation: Conversation, new: Append) -> str:
    """Store the past rounds that are stored nowhere yet. Returns the chain after them."""
    if not new.missing:
        return new.chain
    connection, own_id = opening.connection, conversation.conversation_id
    first = conversation.last_sequence + 1
    before = users.count_turns(connection, conversation.user_id, len(new.missing))
    said = [_message(one) for past in new.missing for one in _texts_of(past)]
    imported.add_messages(connection, own_id, first, before - first // 2, said)
    conversations.advance(connection, own_id, first + len(said) - 1)
    chains = chains_of(new.missing, new.chain)
    for place, (past, chain) in enumerate(zip(new.missing, chains, strict=True)):
        _save_past(opening, own_id, first + 2 * place, past, chain)
    return chains[-1]


def _save_past(
    opening: Opening, own_id: ConversationId, sequence: int, past: ClientRound, chain: str
) -> None:
    connection, user_id = opening.connection, opening.asked.user_id
    asked = ClientTurn(
        sequence_number=sequence,
        digest=digest_asked(past.asked),
        chain=chain,
        payload=payload_of(past.asked),
    )
    reply = ClientTurn(
        sequence_number=sequence + 1,
        digest=digest_reply(past.reply_text),
        payload=payload_of(past.reply),
    )
    client_turns.save_turn(connection, user_id, own_id, asked)
    client_turns.save_turn(connection, user_id, own_id, reply)


def _texts_of(past: ClientRound) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("user", past.text), ("assistant", past.reply_text)


def _message(said: tuple[str, str]) -> ImportedMessage:
    role, text = said
    return ImportedMessage(
        role=role,
        content=storable(text),
        status="complete",
        model=None,
        error=None,
        finish_reason=None,
        created_at=datetime.now(UTC),
    )
