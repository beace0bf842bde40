"""Deletes a fact: alone, or with the rounds that it was learned from and replies that mention it.

Other messages that contain its value are counted, but stay: they may be about something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from shared.access.audit import record
from shared.db import PgConnection
from shared.facts.corrections import forget_fact
from shared.models import ConversationId, Fact, Thing, UserId
from shared.policy.text import containing_pattern
from shared.services import Services
from shared.store import conversations, kept_answers, tombstones, users, variants
from shared.store.facts import suggestions
from shared.store.facts import versions as fact_versions
from shared.store.upkeep import deleted_messages
from shared.user_data.erasure.messages import Erasure, begin_erasure, erase_everywhere
from shared.user_data.erasure.receipts import Receipt


def erase_fact(
    services: Services, user_id: UserId, fact_id: int, *, everywhere: bool, dry_run: bool
) -> Receipt:
    """Erase all versions of the fact. `everywhere`: also erase the messages.

    Raises `NotFoundError`, and `RoundInProgressError` if a reply is being written in a conversation
    with such messages.
    """
    mentions = None
    with begin_erasure(services, user_id, dry_run=dry_run) as erasure:
        connection = erasure.connection
        users.lock_user(connection, user_id)
        fact = fact_versions.get_fact(connection, user_id, fact_id)
        versions = fact_versions.list_versions(connection, user_id, fact)
        forget_fact(connection, user_id, fact_id)
        kept_answers.empty_answers(connection, user_id)
        record(connection, "fact.delete", user_id, Thing("fact", str(fact_id)))
        if everywhere:
            suggestions.delete_open(connection, user_id, fact.category, fact.key)
            mentions = _erase_everywhere(erasure, user_id, versions)
    return erasure.receipt(mentions)


def _erase_everywhere(erasure: Erasure, user_id: UserId, versions: Sequence[Fact]) -> int:
    """Returns how many messages contain the value all the same."""
    connection = erasure.connection
    patterns = [containing_pattern(version.value) for version in versions]
    sequences = _list_sequences(connection, user_id, versions, patterns)
    repeating = variants.list_repeating(connection, versions, patterns)
    for conversation_id in sorted({key.conversation_id for key in repeating}):
        conversations.lock_conversation(connection, user_id, conversation_id)
    erase_everywhere(erasure, user_id, sequences)
    for key in variants.list_repeating(connection, versions, patterns):  # under the locks
        variants.delete_variant(connection, key)
        own_id, sequence = key.conversation_id, key.sequence
        # the log of the reply in Redis may have this variant, too
        erasure.tombstones.append(
            tombstones.add_tombstone(connection, own_id, sequence, [sequence])
        )
    return deleted_messages.count_mentions(connection, user_id, patterns)


def _list_sequences(
    connection: PgConnection, user_id: UserId, versions: Sequence[Fact], patterns: Sequence[str]
) -> dict[ConversationId, set[int]]:
    """The rounds that the fact was learned from, and replies that were given it and mention it."""
    sequences: defaultdict[ConversationId, set[int]] = defaultdict(set)
    for version in versions:
        if version.source_conversation_id is not None and version.source_sequence is not None:
            sequence = version.source_sequence
            sequences[version.source_conversation_id] |= {sequence, sequence + 1}
    for reply in deleted_messages.list_replies_repeating(connection, user_id, versions, patterns):
        sequences[reply.conversation_id].add(reply.sequence_number)
    return sequences
