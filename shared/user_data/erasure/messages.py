"""Single messages: emptied, and whatever was made of them taken back and made again without them.

Summaries, episodes and titles that read a message go and are claimed anew; vectors go; facts and
suggestions that it taught go, and what they had replaced holds again. Jobs that are at work on it
are fenced out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from shared.broker import send_due
from shared.db import PgConnection
from shared.derivations.claims import claim_due
from shared.derivations.invalidation import invalidate_covering
from shared.errors import NotFoundError, RoundInProgressError
from shared.facts.retraction import unlearn
from shared.models import REMEMBERED, Conversation, ConversationId, Due, Message, UserId
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, messages, tombstones, users
from shared.store.search import message_vectors
from shared.store.tombstones import Tombstone
from shared.store.upkeep import deleted_messages, receipts
from shared.user_data.erasure.receipts import Receipt
from shared.user_data.erasure.tombstones import tell_redis


@dataclass
class Erasure:
    """What is to follow the commit: Redis is told, jobs are sent."""

    tombstones: list[Tombstone] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)


Erase = Callable[[PgConnection], Erasure]


def delete_message(
    services: Services,
    user_id: UserId,
    conversation_id: ConversationId,
    sequence: int,
    *,
    whole_round: bool = False,
    dry_run: bool = False,
) -> Receipt:
    """Message `sequence`, or the round that it belongs to.

    Raises `NotFoundError`, also when it was deleted before, and `RoundInProgressError`.
    """
    first = sequence - sequence % 2
    sequences = {first, first + 1} if whole_round else {sequence}

    def erase(connection: PgConnection) -> Erasure:
        users.lock_user(connection, user_id)
        conversation = conversations.lock_conversation(connection, user_id, conversation_id)
        named = messages.find_message(connection, conversation_id, sequence)
        if named is None or (named.deleted_at is not None and not whole_round):
            raise NotFoundError("There is no such message.")
        erasure = Erasure()
        erase_messages(connection, conversation, sequences, services.settings, erasure)
        if not erasure.messages:
            raise NotFoundError("There is no such message.")
        return erasure

    return run_erasure(services, user_id, erase, dry_run=dry_run)


def erase_messages(
    connection: PgConnection,
    conversation: Conversation,
    sequences: Collection[int],
    settings: Settings,
    erasure: Erasure,
) -> None:
    """Those that are there. The user's row and the conversation are locked.

    Raises `RoundInProgressError`: what is being written may have read them.
    """
    own = conversation.conversation_id
    if deleted_messages.is_round_open(connection, own):
        raise RoundInProgressError
    found = [messages.find_message(connection, own, sequence) for sequence in sorted(sequences)]
    gone = [one for one in found if one is not None and one.deleted_at is None]
    for message in gone:
        if message.role == "user":
            unlearn(connection, conversation.user_id, message)
    places = [message.sequence_number for message in gone]
    deleted_messages.empty_messages(connection, own, places)
    message_vectors.drop(connection, own, places)
    for place in places:
        invalidate_covering(connection, own, place)
        replies = [place] if place % 2 else []
        erasure.tombstones.append(tombstones.add_tombstone(connection, own, place, replies))
    erasure.messages += gone
    erasure.due += _claim_again(connection, conversation, settings)


def run_erasure(services: Services, user_id: UserId, erase: Erase, *, dry_run: bool) -> Receipt:
    """In one transaction. A dry run does all of it, counts, and undoes it."""
    with services.database.transaction() as connection:
        before = receipts.count_user(connection, user_id)
        erasure = erase(connection)
        counts = before - receipts.count_user(connection, user_id)
        if dry_run:
            connection.rollback()
    if not dry_run:
        tell_redis(services.redis, erasure.tombstones)
        send_due(services.broker, erasure.due)
    return Receipt(counts=counts, dry_run=dry_run, messages=erasure.messages)


def _claim_again(
    connection: PgConnection, conversation: Conversation, settings: Settings
) -> list[Due]:
    """As when a round closes."""
    own, last = conversation.conversation_id, conversation.last_sequence
    if conversation.mode == "off" or not settings.enable_memory or last < 0:
        return []
    is_kept = messages.get_message(connection, own, last).status in REMEMBERED
    return claim_due(connection, own, last, settings, kinds=None if is_kept else ("facts",))
