"""Deletes a chat, or everything about the user: from Postgres at once, then from Redis.

Open rounds are asked to stop. If they still write, Postgres has no row for it, and a tombstone in
Redis rejects it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_random

from shared.access import audit
from shared.db import PgConnection
from shared.ephemeral.tombstones import write_tombstones
from shared.errors import DatabaseUnavailableError
from shared.events.announcements import announce_change
from shared.models import ConversationId, ReplyAttempt, Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.store import conversations, tombstones, users
from shared.store.tombstones import Tombstone
from shared.store.upkeep import erasure, receipts
from shared.store.upkeep.erasure import RecentReply
from shared.store.upkeep.informed_replies import InformedReply
from shared.store.upkeep.receipts import Counts
from shared.user_data.erasure.messages import Erasure, erase_replies, finish_erasure
from shared.user_data.erasure.receipts import Receipt
from shared.user_data.erasure.repetition import (
    conversation_sources,
    forget_reasoning,
    list_quoting_conversations,
)

# Changes that are told after the deletion of everything: those of the newest conversations.
MOST_TOLD = 100

# A deletion and a round that is closing may wait for each other's locks. Postgres ends one of them.
_retry_after_deadlock = retry(
    retry=retry_if_exception_type(DatabaseUnavailableError),
    stop=stop_after_attempt(3),
    wait=wait_random(0, 0.2),
    reraise=True,
)


@dataclass(frozen=True, kw_only=True)
class ConversationSelection:
    #: Any branch of the chat.
    conversation_id: ConversationId
    #: Also the replies of other chats that repeat what was said in it.
    with_replies: bool = False


@dataclass(frozen=True, kw_only=True)
class _Deleted:
    """The deleted rows, and the tasks after the commit."""

    counts: Counts
    replies: Sequence[RecentReply] = ()
    tombstones: Sequence[Tombstone] = ()
    #: Those that readers may have open.
    conversations: Sequence[ConversationId] = ()
    #: Replies of other conversations that go, too.
    replies_erasure: Erasure | None = None
    replies_left: int | None = None

    def receipt(self, *, dry_run: bool) -> Receipt:
        messages = self.replies_erasure.messages if self.replies_erasure else ()
        return Receipt(
            counts=self.counts,
            dry_run=dry_run,
            messages=messages,
            replies_left=self.replies_left,
        )


def erase_conversation(
    services: Services,
    runner: RoundRunner,
    user_id: UserId,
    selection: ConversationSelection,
    *,
    dry_run: bool = False,
) -> Receipt:
    """Erase the chat with all its branches. Facts learned from it stay.

    Raises `NotFoundError`, also for another user's conversation, and `RoundInProgressError` if a
    reply is being written beside one of those replies.
    """
    deleted = _delete_conversation(services, user_id, selection, dry_run=dry_run)
    _clean_up(services, runner, deleted)
    if not dry_run:
        if deleted.replies_erasure:
            finish_erasure(services, user_id, deleted.replies_erasure)
        for conversation_id in deleted.conversations:
            announce_change(services, user_id, conversation_id)
    return deleted.receipt(dry_run=dry_run)


def erase_user(
    services: Services, runner: RoundRunner, user_id: UserId, *, dry_run: bool = False
) -> Receipt:
    """Erase everything about the user. Their next message makes them a new user."""
    deleted = _delete_user(services, user_id, dry_run=dry_run)
    _clean_up(services, runner, deleted)
    for conversation_id in deleted.conversations[:MOST_TOLD]:
        announce_change(services, user_id, conversation_id)
    return deleted.receipt(dry_run=dry_run)


@_retry_after_deadlock
def _delete_conversation(
    services: Services,
    user_id: UserId,
    selection: ConversationSelection,
    *,
    dry_run: bool,
) -> _Deleted:
    conversation_id = selection.conversation_id
    with services.database.transaction(user=user_id, memory=ALL_MEMORIES) as connection:
        users.lock_user(connection, user_id)
        ids = conversations.lock_chat(connection, user_id, conversation_id)
        counts = receipts.count_chat(connection, user_id, conversation_id)
        quoting = list_quoting_conversations(connection, user_id, ids)
        forget_reasoning(connection, user_id, conversation_sources(connection, ids))
        deleted = _Deleted(counts=counts, replies_left=len(quoting))
        if selection.with_replies:
            replies = Erasure(connection=connection, settings=services.settings, dry_run=dry_run)
            counts += _count_erased(replies, user_id, quoting)
            deleted = _Deleted(counts=counts, replies_erasure=replies, replies_left=0)
        if dry_run:
            connection.rollback()
            return deleted
        recent = erasure.list_recent_replies(connection, user_id, ids)
        added = _add_tombstones(connection, ids, recent)
        erasure.delete_conversations(connection, user_id, ids)
        thing = Thing("conversation", conversation_id)
        audit.record(connection, "conversation.delete", user_id, thing)
    return replace(deleted, replies=recent, tombstones=added, conversations=ids)


def _count_erased(erasure: Erasure, user_id: UserId, replies: Sequence[InformedReply]) -> Counts:
    """Erase the replies. Returns the rows that went."""
    before = receipts.count_user(erasure.connection, user_id)
    erase_replies(erasure, user_id, replies)
    return before - receipts.count_user(erasure.connection, user_id)


@_retry_after_deadlock
def _delete_user(services: Services, user_id: UserId, *, dry_run: bool) -> _Deleted:
    with services.database.transaction(user=user_id, memory=ALL_MEMORIES) as connection:
        erasure.lock_user_for_deletion(connection, user_id)
        counts = receipts.count_user(connection, user_id)
        if dry_run:
            return _Deleted(counts=counts)
        replies = erasure.list_recent_replies(connection, user_id)
        conversation_ids = erasure.list_conversation_ids(connection, user_id)
        added = _add_tombstones(connection, conversation_ids, replies)
        erasure.delete_user(connection, user_id)
        audit.record_erasure(connection, user_id)
    return _Deleted(
        counts=counts, replies=replies, tombstones=added, conversations=conversation_ids
    )


def _clean_up(services: Services, runner: RoundRunner, deleted: _Deleted) -> None:
    for reply in deleted.replies:
        if reply.fencing_token is not None:
            runner.ask_to_stop(
                ReplyAttempt(reply.conversation_id, reply.sequence, reply.fencing_token)
            )
    write_tombstones(services.redis, deleted.tombstones)


def _add_tombstones(
    connection: PgConnection,
    conversation_ids: Sequence[ConversationId],
    replies: Sequence[RecentReply],
) -> list[Tombstone]:
    sequences: defaultdict[ConversationId, list[int]] = defaultdict(list)
    for reply in replies:
        sequences[reply.conversation_id].append(reply.sequence)
    return [
        tombstones.add_tombstone(connection, conversation_id, None, sequences[conversation_id])
        for conversation_id in conversation_ids
    ]
