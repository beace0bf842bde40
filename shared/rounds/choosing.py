"""Chooses another variant of the newest reply, and keeps what the user thinks of a reply.

Memory is made from the chosen variant alone: what was derived from the other is invalidated, and
the sweep claims it anew once the user has stopped choosing.
"""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.derivations.invalidation import invalidate_from
from shared.errors import ConflictError, NotFoundError, RoundInProgressError
from shared.models import ConversationId, Message, Thing, UserId, reply_changed
from shared.models.clients import ClientTurn
from shared.policy.clients.digests import digest_reply
from shared.store import client_turns, conversations, events, messages, replies, users, variants
from shared.store.upkeep import deleted_messages


def choose_variant(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    sequence: int,
    variant: int,
) -> Message:
    """Let a variant be the reply. The caller then forgets the turns in short-term memory.

    Raises `NotFoundError` for an unknown reply or variant, `RoundInProgressError` while a round is
    open, and `ConflictError` for a reply that is not the newest.
    """
    users.lock_user(connection, user_id)
    conversation = conversations.lock_conversation(connection, user_id, conversation_id)
    if deleted_messages.is_round_open(connection, conversation_id):
        raise RoundInProgressError
    reply = _get_reply(connection, conversation_id, sequence)
    if reply.variant == variant:
        return reply
    if sequence != conversation.last_sequence:
        raise ConflictError("Only the newest reply can be replaced by a variant of it.")
    variants.keep_variant(connection, conversation_id, sequence)
    variants.take_variant(connection, conversation_id, sequence, variant)
    chosen = messages.get_message(connection, conversation_id, sequence)
    invalidate_from(connection, conversation_id, sequence)
    turn = ClientTurn(sequence_number=sequence, digest=digest_reply(chosen.content))
    client_turns.save_reply(connection, conversation_id, turn)
    conversations.advance(connection, conversation_id, sequence)
    thing = Thing("message", f"{conversation_id}/{sequence}")
    record(connection, "message.change", user_id, thing)
    events.add_event(connection, user_id, reply_changed(conversation_id, sequence))
    return chosen


def rate_reply(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    sequence: int,
    rating: int | None,
) -> Message:
    """Keep a rating, or with None take it back. Each variant has its own.

    Raises `NotFoundError`, and `ConflictError` for a reply that is being written.
    """
    conversations.lock_conversation(connection, user_id, conversation_id)
    reply = _get_reply(connection, conversation_id, sequence)
    if reply.status == "streaming":
        raise ConflictError("This reply is still being written.")
    if reply.rating == rating:
        return reply
    replies.rate_reply(connection, conversation_id, sequence, rating)
    events.add_event(connection, user_id, reply_changed(conversation_id, sequence))
    return messages.get_message(connection, conversation_id, sequence)


def _get_reply(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> Message:
    """Raises `NotFoundError` for a user's message or a deleted one."""
    reply = messages.get_message(connection, conversation_id, sequence)
    if reply.role != "assistant" or reply.deleted_at is not None:
        raise NotFoundError("There is no such reply.")
    return reply
