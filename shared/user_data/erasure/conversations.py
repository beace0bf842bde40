"""A conversation, or everything about the user: Postgres in one transaction, then Redis.

A round that is open in what is deleted is asked to stop; what it writes finds no place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random

from shared.db import PgConnection
from shared.errors import DatabaseUnavailableError, NotFoundError
from shared.models import ConversationId, ReplyAttempt, UserId
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.store import tombstones
from shared.store.tombstones import Tombstone
from shared.store.upkeep import erasure, receipts
from shared.store.upkeep.erasure import RecentReply
from shared.store.upkeep.receipts import Counts
from shared.user_data.erasure.receipts import Receipt
from shared.user_data.erasure.tombstones import tell_redis

TRIES = 3


@dataclass(frozen=True, kw_only=True)
class _Deleted:
    """What Redis is to forget, too."""

    counts: Counts
    replies: Sequence[RecentReply] = ()
    tombstones: Sequence[Tombstone] = ()


def forget_conversation(
    services: Services,
    runner: RoundRunner,
    user_id: UserId,
    conversation_id: ConversationId,
    *,
    dry_run: bool = False,
) -> Receipt:
    """Facts that were learned from it stay. Raises `NotFoundError`, also for somebody else's."""

    def delete(connection: PgConnection) -> _Deleted:
        counts = receipts.count_conversation(connection, user_id, conversation_id)
        if counts.conversations == 0:
            raise NotFoundError("There is no such conversation.")
        if dry_run:
            return _Deleted(counts=counts)
        replies = erasure.list_recent_replies(connection, user_id, conversation_id)
        laid = _lay_tombstones(connection, [conversation_id], replies)
        erasure.delete_conversation(connection, user_id, conversation_id)
        return _Deleted(counts=counts, replies=replies, tombstones=laid)

    return _run(services, runner, delete, dry_run=dry_run)


def forget_user(
    services: Services, runner: RoundRunner, user_id: UserId, *, dry_run: bool = False
) -> Receipt:
    """Everything about the user. What they say from now on is a new beginning."""

    def delete(connection: PgConnection) -> _Deleted:
        erasure.lock_user_for_deletion(connection, user_id)
        counts = receipts.count_user(connection, user_id)
        if dry_run:
            return _Deleted(counts=counts)
        replies = erasure.list_recent_replies(connection, user_id)
        own = erasure.list_conversation_ids(connection, user_id)
        laid = _lay_tombstones(connection, own, replies)
        erasure.delete_user(connection, user_id)
        return _Deleted(counts=counts, replies=replies, tombstones=laid)

    return _run(services, runner, delete, dry_run=dry_run)


def _run(
    services: Services,
    runner: RoundRunner,
    delete: Callable[[PgConnection], _Deleted],
    *,
    dry_run: bool,
) -> Receipt:
    """Again when it met a closing round the other way round: Postgres ends one of the two."""
    for attempt in Retrying(
        retry=retry_if_exception_type(DatabaseUnavailableError),
        stop=stop_after_attempt(TRIES),
        wait=wait_random(0, 0.2),
        reraise=True,
    ):
        with attempt, services.database.transaction() as connection:
            deleted = delete(connection)
    for reply in deleted.replies:
        if reply.fencing_token is not None:
            runner.ask_to_stop(
                ReplyAttempt(reply.conversation_id, reply.sequence, reply.fencing_token)
            )
    tell_redis(services.redis, deleted.tombstones)
    return Receipt(counts=deleted.counts, dry_run=dry_run)


def _lay_tombstones(
    connection: PgConnection,
    conversation_ids: Sequence[ConversationId],
    replies: Sequence[RecentReply],
) -> list[Tombstone]:
    held: defaultdict[ConversationId, list[int]] = defaultdict(list)
    for reply in replies:
        held[reply.conversation_id].append(reply.sequence)
    return [tombstones.add_tombstone(connection, own, None, held[own]) for own in conversation_ids]
