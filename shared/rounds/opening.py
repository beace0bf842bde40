"""The start of a round: one short transaction, after which the user's words cannot be lost."""

from __future__ import annotations

from dataclasses import dataclass

from shared.agents import DEFAULT_AGENT
from shared.db import PgConnection
from shared.derivations.invalidation import discard_from
from shared.errors import AlreadySentError, ConflictError, KeyReusedError, NotFoundError
from shared.facts.retraction import unlearn
from shared.models import Conversation, ConversationId, Message, Mode, OpenRound, UserId
from shared.settings import Settings
from shared.store import conversations, messages, replies, users


@dataclass(frozen=True, kw_only=True)
class NewMessage:
    """What a user sends. Without a conversation a new one begins, with this agent and mode.

    `time_zone` is an IANA name that was checked; None leaves it as it was.
    """

    user_id: UserId
    text: str
    conversation_id: ConversationId | None
    agent: str = DEFAULT_AGENT
    mode: Mode = "active"
    idempotency_key: str | None = None
    time_zone: str | None = None


def open_round(connection: PgConnection, new: NewMessage, settings: Settings) -> OpenRound:
    """Raises `NotFoundError`, `RoundInProgressError`, `AlreadySentError` or `KeyReusedError`.

    Nothing is written then.
    """
    users.count_turn(connection, new.user_id)  # this user's other sends now wait for the commit
    _check_unsent(connection, new)
    time_zone = _time_zone(connection, new)
    conversation = _conversation(connection, new)
    sequence = conversation.last_sequence + 1
    user_message = messages.add_user_message(
        connection, conversation.conversation_id, sequence, new.text, new.idempotency_key
    )
    token = replies.open_reply(
        connection, conversation.conversation_id, sequence + 1, settings.lease_s
    )
    return OpenRound(
        conversation=conversation,
        user_message=user_message,
        sequence=sequence + 1,
        fencing_token=token,
        time_zone=time_zone,
    )


def reopen_round(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    sequence: int,
    settings: Settings,
) -> OpenRound:
    """Write the newest reply once more. What was made of the old one is discarded.

    Raises `NotFoundError`, `RoundInProgressError`, or `ConflictError` for an older reply.
    """
    conversation = _lock_newest(connection, user_id, conversation_id, sequence)
    token = replies.open_reply(connection, conversation_id, sequence, settings.lease_s)
    discard_from(connection, conversation_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=_question(connection, conversation_id, sequence - 1),
        sequence=sequence,
        fencing_token=token,
        time_zone=users.find_time_zone(connection, user_id),
    )


def continue_round(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    sequence: int,
    settings: Settings,
) -> OpenRound:
    """Go on with the newest reply where it ends. What was made of its shorter text is discarded.

    Raises as `reopen_round`, and `ConflictError` for a reply that is whole or has no text.
    """
    conversation = _lock_newest(connection, user_id, conversation_id, sequence)
    kept = messages.get_message(connection, conversation_id, sequence)
    _check_unfinished(kept)
    token = replies.continue_reply(connection, conversation_id, sequence, settings.lease_s)
    discard_from(connection, conversation_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=_question(connection, conversation_id, sequence - 1),
        sequence=sequence,
        fencing_token=token,
        time_zone=users.find_time_zone(connection, user_id),
        kept=kept,
    )


def reword_round(
    connection: PgConnection, new: NewMessage, sequence: int, settings: Settings
) -> OpenRound:
    """Say the newest user message in other words, and write its reply once more.

    What was made of the old words and of the old reply is discarded. Raises as `open_round`,
    and `ConflictError` for an older message.
    """
    users.lock_user(connection, new.user_id)
    _check_unsent(connection, new)
    time_zone = _time_zone(connection, new)
    own_id = new.conversation_id
    if own_id is None:
        raise NotFoundError("There is no such conversation.")
    conversation = _lock_newest(connection, new.user_id, own_id, sequence + 1)
    token = replies.open_reply(connection, own_id, sequence + 1, settings.lease_s)
    unlearn(connection, new.user_id, _question(connection, own_id, sequence))
    conversations.mark_said_here(connection, own_id, sequence)
    discard_from(connection, own_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=messages.reword(connection, own_id, sequence, new.text, new.idempotency_key),
        sequence=sequence + 1,
        fencing_token=token,
        time_zone=time_zone,
    )


def _lock_newest(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> Conversation:
    """The conversation, if reply `sequence` is its newest, be it open or closed."""
    conversation = conversations.lock_conversation(connection, user_id, conversation_id)
    if sequence > conversation.last_sequence:
        messages.get_message(connection, conversation_id, sequence)  # absent: not found
    elif sequence != conversation.last_sequence:
        raise ConflictError("Only the newest reply can be written again or continued.")
    return conversation


def _question(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> Message:
    """Raises `ConflictError` for one that was deleted: it has no words to answer."""
    message = messages.get_message(connection, conversation_id, sequence)
    if message.deleted_at is not None:
        raise ConflictError("This message was deleted.")
    return message


def _check_unfinished(reply: Message) -> None:
    if reply.status == "complete":
        raise ConflictError("This reply is whole: there is nothing to continue.")
    if reply.status != "streaming" and not reply.content:
        raise ConflictError("This reply has no words to go on from. It can be tried again.")


def _check_unsent(connection: PgConnection, new: NewMessage) -> None:
    if new.idempotency_key is None:
        return
    sent = messages.find_sent(connection, new.user_id, new.idempotency_key)
    if sent is None:
        return
    if not _is_same(new, sent):
        raise KeyReusedError
    raise AlreadySentError(sent.conversation_id, sent.sequence_number + 1)


def _is_same(new: NewMessage, sent: Message) -> bool:
    """Who began a conversation may or may not have learnt its name meanwhile."""
    began = new.conversation_id is None and sent.sequence_number == 0
    return new.text == sent.content and (began or new.conversation_id == sent.conversation_id)


def _time_zone(connection: PgConnection, new: NewMessage) -> str | None:
    """The user's, which is kept once it was told."""
    if new.time_zone is not None:
        users.keep_time_zone(connection, new.user_id, new.time_zone)
    return users.find_time_zone(connection, new.user_id)


def _conversation(connection: PgConnection, new: NewMessage) -> Conversation:
    if new.conversation_id is None:
        return conversations.add_conversation(
            connection, user_id=new.user_id, agent=new.agent, mode=new.mode
        )
    return conversations.lock_conversation(connection, new.user_id, new.conversation_id)
