"""Deletes a fact: alone, or with the rounds that it was learned from and replies that repeat it.

Other facts that these rounds taught stay, without their source, but for those that say the same.
Other messages that contain its value are counted, but stay unless the user wants them to go: they
may be about something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shared.access.audit import record
from shared.db import PgConnection, in_memory
from shared.errors import ConflictError
from shared.facts.corrections import forget_fact
from shared.models import ConversationId, Fact, MessageKey, Thing, UserId
from shared.models.memory_scope import memory_of
from shared.policy.reuse import repeats_value
from shared.policy.text import containing_pattern
from shared.services import Services
from shared.store import kept_answers, users, variants
from shared.store.facts import sources as fact_sources
from shared.store.facts import suggestions
from shared.store.facts import versions as fact_versions
from shared.store.upkeep import deleted_messages
from shared.user_data.erasure.messages import (
    Erasure,
    begin_erasure,
    erase_everywhere,
    erase_replies,
    erase_variants,
)
from shared.user_data.erasure.receipts import Receipt, TaughtFact
from shared.user_data.erasure.repetition import find_sources, forget_reasoning, list_repeating_fact


@dataclass(frozen=True, kw_only=True)
class Forgetting:
    """What the user wants to be forgotten."""

    fact_id: int
    #: Also the rounds that taught it and the replies that repeat it.
    everywhere: bool = False
    #: Which other facts of these rounds go, too, by id. None: those that say the same value.
    with_facts: Collection[int] | None = None
    #: Also all other messages that contain the value.
    with_mentions: bool = False


def erase_fact(
    services: Services, user_id: UserId, wish: Forgetting, *, dry_run: bool = False
) -> Receipt:
    """Erase all versions of the fact.

    Raises `NotFoundError`, `ConflictError` if `with_facts` names a fact of other messages,
    and `RoundInProgressError` if a reply is being written in a conversation with such messages.
    """
    mentions = None
    with begin_erasure(services, user_id, dry_run=dry_run) as erasure:
        connection = erasure.connection
        users.lock_user(connection, user_id)
        fact = fact_versions.get_fact(connection, user_id, wish.fact_id)
        versions = fact_versions.list_versions(connection, user_id, fact)
        kept_answers.empty_answers(connection, user_id)
        if wish.everywhere:
            mentions = _erase_everywhere(erasure, user_id, versions, wish)
        _forget(connection, user_id, fact)
    return erasure.receipt(mentions=mentions)


def _erase_everywhere(
    erasure: Erasure, user_id: UserId, versions: Sequence[Fact], wish: Forgetting
) -> int:
    """Returns how many messages contain the value all the same."""
    connection = erasure.connection
    erasure.keeps_facts = True
    patterns = [containing_pattern(version.value) for version in versions]
    taught = _list_taught(versions)
    sources = find_sources(connection, versions, taught)
    repeating = list_repeating_fact(connection, user_id, versions, sources)
    forget_reasoning(connection, user_id, sources, patterns)
    mentions: list[MessageKey] = []
    if wish.with_mentions:
        mentions = deleted_messages.list_mentions(connection, user_id, patterns)
    erasure.facts += _choose_facts(connection, user_id, versions, [*taught, *mentions], wish)
    for other in erasure.facts:
        if not other.stays:
            _forget(connection, user_id, other.fact)
    with in_memory(connection, memory_of(versions[0].project)):
        suggestions.delete_open(connection, user_id, versions[0].category, versions[0].key)
    erase_replies(erasure, user_id, repeating)
    erase_everywhere(erasure, user_id, _group(taught, mentions))
    if wish.with_mentions:
        erase_variants(erasure, variants.list_containing(connection, user_id, patterns))
    return deleted_messages.count_mentions(connection, user_id, patterns)


def _choose_facts(
    connection: PgConnection,
    user_id: UserId,
    versions: Sequence[Fact],
    keys: Sequence[MessageKey],
    wish: Forgetting,
) -> list[TaughtFact]:
    """The other facts of these messages, with what becomes of each."""
    slot = versions[0].category, versions[0].key, versions[0].project
    taught = fact_sources.list_taught(connection, user_id, keys)
    others = [fact for fact in taught if (fact.category, fact.key, fact.project) != slot]
    if wish.with_facts is None:
        going = {
            other.fact_id
            for other in others
            if any(repeats_value(version.value, other.value) for version in versions)
        }
    else:
        going = set(wish.with_facts)
    if not going <= {other.fact_id for other in others}:
        raise ConflictError("with_facts: names a fact that other messages taught.")
    return [TaughtFact(fact=other, stays=other.fact_id not in going) for other in others]


def _forget(connection: PgConnection, user_id: UserId, fact: Fact) -> None:
    forget_fact(connection, user_id, fact.fact_id)
    record(connection, "fact.delete", user_id, Thing("fact", str(fact.fact_id)))


def _list_taught(versions: Sequence[Fact]) -> list[MessageKey]:
    """The messages that the versions were learned from."""
    return [
        MessageKey(version.source_conversation_id, version.source_sequence)
        for version in versions
        if version.source_conversation_id is not None and version.source_sequence is not None
    ]


def _group(
    taught: Sequence[MessageKey], mentions: Sequence[MessageKey]
) -> dict[ConversationId, set[int]]:
    """The rounds of the first, and the second alone, by conversation."""
    sequences: defaultdict[ConversationId, set[int]] = defaultdict(set)
    for own_id, sequence in taught:
        sequences[own_id] |= {sequence, sequence + 1}
    for own_id, sequence in mentions:
        sequences[own_id].add(sequence)
    return sequences
