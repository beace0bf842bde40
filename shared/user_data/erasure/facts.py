"""A fact and all that tells it: its versions, the messages that taught it, the replies that say it.

Other messages that hold its value stay, and are counted: they may be about something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from shared.db import PgConnection
from shared.facts.corrections import forget_fact
from shared.models import ConversationId, Fact, UserId
from shared.policy.text import containing_pattern
from shared.services import Services
from shared.store import conversations, users
from shared.store.facts import suggestions
from shared.store.facts import versions as fact_versions
from shared.store.upkeep import deleted_messages
from shared.user_data.erasure.messages import Erasure, erase_messages, run_erasure
from shared.user_data.erasure.receipts import Receipt


def forget(
    services: Services, user_id: UserId, fact_id: int, *, everywhere: bool, dry_run: bool
) -> Receipt:
    """Without `everywhere` the fact alone, with all its versions. Raises `NotFoundError`, and
    `RoundInProgressError` when a reply is being written where it was told."""
    mentions = 0

    def erase(connection: PgConnection) -> Erasure:
        nonlocal mentions
        users.lock_user(connection, user_id)
        fact = fact_versions.get_fact(connection, user_id, fact_id)
        versions = fact_versions.list_versions(connection, user_id, fact)
        patterns = [containing_pattern(version.value) for version in versions]
        erasure = Erasure()
        forget_fact(connection, user_id, fact_id)
        if everywhere:
            suggestions.delete_open(connection, user_id, fact.category, fact.key)
            told = _list_told(connection, user_id, versions, patterns)
            for conversation_id in sorted(told):
                held = conversations.lock_conversation(connection, user_id, conversation_id)
                erase_messages(connection, held, told[conversation_id], services.settings, erasure)
            mentions = deleted_messages.count_mentions(connection, user_id, patterns)
        return erasure

    receipt = run_erasure(services, user_id, erase, dry_run=dry_run)
    return replace(receipt, mentions=mentions if everywhere else None)


def _list_told(
    connection: PgConnection, user_id: UserId, versions: Sequence[Fact], patterns: Sequence[str]
) -> dict[ConversationId, set[int]]:
    """The rounds that taught it, and the replies that were given it and say it."""
    told: defaultdict[ConversationId, set[int]] = defaultdict(set)
    for version in versions:
        if version.source_conversation_id is not None and version.source_sequence is not None:
            sequence = version.source_sequence
            told[version.source_conversation_id] |= {sequence, sequence + 1}
    for reply in deleted_messages.list_replies_telling(connection, user_id, versions, patterns):
        told[reply.conversation_id].add(reply.sequence_number)
    return told
