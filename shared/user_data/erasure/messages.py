"""Deletes single messages, and everything that was derived from them.

A deleted message keeps its row and its number, without its text. Its vectors are deleted, and so
are the facts learned from it. Summaries, episodes and titles that contain it are discarded and
claimed again. Jobs that are working on it lose their lease.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.access.audit import record
from shared.broker.sending import send_due
from shared.db import PgConnection
from shared.derivations.claims import claim_due, due_kinds
from shared.derivations.invalidation import invalidate_covering
from shared.ephemeral.tombstones import write_tombstones
from shared.errors import NotFoundError, RoundInProgressError
from shared.events.announcements import announce_change
from shared.facts.retraction import unlearn
from shared.models import Conversation, ConversationId, Due, Message, MessageKey, Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.policy.branches import list_holders
from shared.services import Services
from shared.settings import Settings
from shared.store import (
    attachments,
    branches,
    client_turns,
    conversations,
    messages,
    tombstones,
    users,
    variants,
)
from shared.store.facts import sources as fact_sources
from shared.store.search import message_vectors
from shared.store.tombstones import Tombstone
from shared.store.upkeep import deleted_messages, receipts
from shared.store.upkeep.informed_replies import InformedReply, Sources
from shared.store.upkeep.receipts import Counts
from shared.store.variants import VariantKey
from shared.user_data.erasure.receipts import Receipt, TaughtFact
from shared.user_data.erasure.repetition import forget_reasoning, list_homes, list_quoting_messages


@dataclass(kw_only=True)
class Erasure:
    """A running deletion: its transaction, and the tasks after the commit."""

    connection: PgConnection
    settings: Settings
    dry_run: bool
    #: Facts outlive the messages that taught them.
    keeps_facts: bool = False
    tombstones: list[Tombstone] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    facts: list[TaughtFact] = field(default_factory=list)
    #: Set when the deletion is done.
    counts: Counts = field(default_factory=Counts)

    def receipt(self, *, mentions: int | None = None, replies_left: int | None = None) -> Receipt:
        return Receipt(
            counts=self.counts,
            dry_run=self.dry_run,
            messages=self.messages,
            facts=self.facts,
            mentions=mentions,
            replies_left=replies_left,
        )


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A message or its whole round."""

    conversation_id: ConversationId
    sequence: int
    whole_round: bool = False
    #: Also the replies of other places that repeat it.
    with_replies: bool = False

    @property
    def sequences(self) -> set[int]:
        first = self.sequence - self.sequence % 2
        return {first, first + 1} if self.whole_round else {self.sequence}


@contextmanager
def begin_erasure(services: Services, user_id: UserId, *, dry_run: bool) -> Iterator[Erasure]:
    """Begin a transaction for the block. A dry run deletes, counts, and rolls back."""
    with services.database.transaction(user=user_id, memory=ALL_MEMORIES) as connection:
        erasure = Erasure(connection=connection, settings=services.settings, dry_run=dry_run)
        before = receipts.count_user(connection, user_id)
        yield erasure
        erasure.counts = before - receipts.count_user(connection, user_id)
        if dry_run:
            connection.rollback()
    if not dry_run:
        finish_erasure(services, user_id, erasure)


def finish_erasure(services: Services, user_id: UserId, erasure: Erasure) -> None:
    """Run what follows the commit: tasks, and deletion from Redis."""
    write_tombstones(services.redis, erasure.tombstones)
    send_due(services.broker, erasure.due)
    for conversation_id in {message.conversation_id for message in erasure.messages}:
        announce_change(services, user_id, conversation_id)


def erase_selection(
    services: Services, user_id: UserId, selection: Selection, *, dry_run: bool = False
) -> Receipt:
    """Erase the selected messages.

    Raises `RoundInProgressError`, and `NotFoundError` for an unknown or deleted message.
    """
    conversation_id = selection.conversation_id
    with begin_erasure(services, user_id, dry_run=dry_run) as erasure:
        connection = erasure.connection
        users.lock_user(connection, user_id)
        conversations.get_conversation(connection, user_id, conversation_id)
        message = messages.find_message(connection, conversation_id, selection.sequence)
        if message is None or (message.deleted_at is not None and not selection.whole_round):
            raise NotFoundError("There is no such message.")
        keys = [
            home
            for sequence in sorted(selection.sequences)
            for home in list_homes(connection, MessageKey(conversation_id, sequence))
        ]
        quoting = list_quoting_messages(connection, user_id, keys)
        forget_reasoning(connection, user_id, Sources(messages=keys))
        erasure.facts += [
            TaughtFact(fact=fact, stays=False)
            for fact in fact_sources.list_taught(connection, user_id, keys)
        ]
        erase_everywhere(erasure, user_id, {conversation_id: selection.sequences})
        if not erasure.messages:
            raise NotFoundError("There is no such message.")
        if selection.with_replies:
            erase_replies(erasure, user_id, quoting)
    return erasure.receipt(replies_left=0 if selection.with_replies else len(quoting))


def erase_replies(erasure: Erasure, user_id: UserId, replies: Sequence[InformedReply]) -> None:
    """Erase replies, in all branches that have them, and variants. The caller has locked the user.

    Raises `RoundInProgressError` if a reply is being written beside one of them.
    """
    sequences: defaultdict[ConversationId, set[int]] = defaultdict(set)
    for conversation_id in sorted({reply.key.conversation_id for reply in replies}):
        conversations.lock_conversation(erasure.connection, user_id, conversation_id)
    others = [
        VariantKey(*reply.key, reply.variant) for reply in replies if reply.variant is not None
    ]
    erase_variants(erasure, others)
    for reply in replies:
        if reply.variant is None:
            sequences[reply.key.conversation_id].add(reply.key.sequence_number)
    erase_everywhere(erasure, user_id, sequences)


def erase_variants(erasure: Erasure, keys: Sequence[VariantKey]) -> None:
    """Erase variants that are not chosen. The log of the reply in Redis may have them, too."""
    for key in keys:
        conversation_id, sequence = key.conversation_id, key.sequence
        variants.delete_variant(erasure.connection, key)
        erasure.tombstones.append(
            tombstones.add_tombstone(erasure.connection, conversation_id, sequence, [sequence])
        )


def erase_everywhere(
    erasure: Erasure, user_id: UserId, sequences: Mapping[ConversationId, Collection[int]]
) -> None:
    """Erase messages in all conversations that have them: branches have copies.

    The caller has locked the user. Raises as `erase_messages`.
    """
    by_holder: defaultdict[ConversationId, set[int]] = defaultdict(set)
    for conversation_id, numbers in sequences.items():
        family = branches.list_family(erasure.connection, conversation_id)
        for number in numbers:
            for holder in list_holders(family, conversation_id, number):
                by_holder[holder].add(number)
    for conversation_id in sorted(by_holder):
        locked = conversations.lock_conversation(erasure.connection, user_id, conversation_id)
        erase_messages(erasure, locked, by_holder[conversation_id])


def erase_messages(
    erasure: Erasure, conversation: Conversation, sequences: Collection[int]
) -> None:
    """Erase the messages that exist. The caller has locked the user and the conversation.

    Raises `RoundInProgressError` if a reply is being written, since it may have read them.
    """
    connection, conversation_id = erasure.connection, conversation.conversation_id
    if deleted_messages.is_round_open(connection, conversation_id):
        raise RoundInProgressError
    candidates = [
        messages.find_message(connection, conversation_id, sequence)
        for sequence in sorted(sequences)
    ]
    gone = [message for message in candidates if message is not None and message.deleted_at is None]
    for message in gone:
        if message.role == "user":
            unlearn(connection, conversation.user_id, message, keeps_facts=erasure.keeps_facts)
    deleted = [message.sequence_number for message in gone]
    deleted_messages.empty_messages(connection, conversation_id, deleted)
    attachments.delete_of_messages(connection, conversation_id, deleted)
    variants.delete_variants(connection, conversation_id, deleted)
    variants.forget_words(connection, conversation_id, deleted)
    client_turns.delete_turns(connection, conversation_id, deleted)
    message_vectors.delete_vectors(connection, conversation_id, deleted)
    for sequence in deleted:
        invalidate_covering(connection, conversation_id, sequence)
        replies = [sequence] if sequence % 2 else []
        erasure.tombstones.append(
            tombstones.add_tombstone(connection, conversation_id, sequence, replies)
        )
        thing = Thing("message", f"{conversation_id}/{sequence}")
        record(connection, "message.delete", conversation.user_id, thing)
    erasure.messages += gone
    erasure.due += _claim_anew(connection, conversation, erasure.settings)


def _claim_anew(
    connection: PgConnection, conversation: Conversation, settings: Settings
) -> list[Due]:
    """Claim jobs as at the end of a round."""
    conversation_id, last = conversation.conversation_id, conversation.last_sequence
    if last < 0:
        return []
    status = messages.get_message(connection, conversation_id, last).status
    kinds = due_kinds(conversation.mode, status, settings)
    return claim_due(connection, conversation_id, last, settings, kinds)
