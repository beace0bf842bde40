"""Deletes a conversation, or everything about the user: from Postgres at once, then from Redis.

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
from shared.errors import DatabaseUnavailableError, NotFoundError
from shared.events.announcements import announce_change
from shared.models import ConversationId, ReplyAttempt, Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.policy.branches import choose_heir
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.store import branches, conversations, tombstones, users
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
    list_quoting_conversation,
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
    conversation_id: ConversationId
    #: Also the replies of other conversations that repeat what was said in it.
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
    """Erase a conversation. Facts learned from it stay.

    Raises `NotFoundError`, also for another user's conversation, and `RoundInProgressError` if a
    reply is being written beside one of those replies.
    """
    deleted = _delete_conversation(services, user_id, selection, dry_run=dry_run)
    _clean_up(services, runner, deleted)
    if not dry_run:
        if deleted.replies_erasure:
            finish_erasure(services, user_id, deleted.replies_erasure)
        announce_change(services, user_id, selection.conversation_id)
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
        counts = receipts.count_conversation(connection, user_id, conversation_id)
        if counts.conversations == 0:
            raise NotFoundError("There is no such conversation.")
        users.lock_user(connection, user_id)
        quoting = list_quoting_conversation(connection, user_id, conversation_id)
        sources = conversation_sources(connection, conversation_id)
        forget_reasoning(connection, user_id, sources)
        deleted = _Deleted(counts=counts, replies_left=len(quoting))
        if selection.with_replies:
            replies = Erasure(connection=connection, settings=services.settings, dry_run=dry_run)
            counts += _count_erased(replies, user_id, quoting)
            deleted = _Deleted(counts=counts, replies_erasure=replies, replies_left=0)
        if dry_run:
            connection.rollback()
            return deleted
        _hand_over(connection, user_id, conversation_id)
        recent = erasure.list_recent_replies(connection, user_id, conversation_id)
        added = _add_tombstones(connection, [conversation_id], recent)
        erasure.delete_conversation(connection, user_id, conversation_id)
        thing = Thing("conversation", conversation_id)
        audit.record(connection, "conversation.delete", user_id, thing)
    return replace(deleted, replies=recent, tombstones=added)


def _count_erased(erasure: Erasure, user_id: UserId, replies: Sequence[InformedReply]) -> Counts:
    """Erase the replies. Returns the rows that went."""
    before = receipts.count_user(erasure.connection, user_id)
    erase_replies(erasure, user_id, replies)
    return before - receipts.count_user(erasure.connection, user_id)


def _hand_over(connection: PgConnection, user_id: UserId, conversation_id: ConversationId) -> None:
    """Let a branch own what it shares with the conversation, and lead the other branches.

    The caller has locked the user.
    """
    conversations.lock_conversation(connection, user_id, conversation_id)
    family = branches.list_family(connection, conversation_id)
    heir = choose_heir(family, conversation_id)
    if heir is None:
        return
    conversations.lock_conversation(connection, user_id, heir.conversation_id)
    [gone] = [branch for branch in family if branch.conversation_id == conversation_id]
    others = [
        branch for branch in family if branch.branched_from == conversation_id and branch != heir
    ]
    branches.hand_over(connection, user_id, gone, heir, others)


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
