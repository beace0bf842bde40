"""Unlearning: removes the facts that were learned from a reworded or deleted message.

A fact that the message only confirmed keeps its confidence: the earlier confidence is not stored.
"""

from __future__ import annotations

from shared.db import PgConnection, in_memory
from shared.models import Message, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.store.facts import sources as fact_sources
from shared.store.facts import suggestions, tidied


def unlearn(
    connection: PgConnection, user_id: UserId, message: Message, *, keeps_facts: bool = False
) -> None:
    """Delete the versions that come from `message`.

    Facts that they replaced or ended are current again, and so are those that a tidying joined with
    them. With `keeps_facts` all facts stay, and those of the message lose their source. The caller
    has locked the user.
    """
    with in_memory(connection, ALL_MEMORIES):
        _unlearn(connection, user_id, message, keeps_facts=keeps_facts)


def _unlearn(
    connection: PgConnection, user_id: UserId, message: Message, *, keeps_facts: bool
) -> None:
    suggestions.delete_suggested_by(
        connection, user_id, message.conversation_id, message.sequence_number
    )
    if keeps_facts:
        fact_sources.clear_source(
            connection, user_id, message.conversation_id, message.sequence_number
        )
        return
    fact_sources.reopen_retracted(connection, user_id, message.created_at)
    for fact in fact_sources.list_learned_from(
        connection, user_id, message.conversation_id, message.sequence_number
    ):
        tidied.separate_joined(connection, user_id, fact)
        fact_sources.delete_version(connection, user_id, fact)
