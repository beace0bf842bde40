"""Writes one past conversation and claims its derivations, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.agents import DEFAULT_AGENT, list_agents
from shared.db import PgConnection
from shared.derivations.claims import claim_backlog
from shared.models import ConversationId, Due, UserId
from shared.settings import Settings
from shared.store import imports, users
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep.imported_conversations import (
    ImportedConversation,
    ImportedMessage,
    ImportedVariant,
)
from shared.user_data.imports.past_conversation import PastConversation, Utterance

BATCH = 200


@dataclass(frozen=True, kw_only=True)
class Target:
    """An import, and the user that it belongs to."""

    user_id: UserId
    import_id: str


def write_conversation(
    connection: PgConnection,
    target: Target,
    past: PastConversation,
    rounds: Sequence[Utterance],
    settings: Settings,
) -> list[Due] | None:
    """Returns the jobs to send after the commit. None: another import has just written the same.

    `rounds` come from `alternate`.
    """
    users.lock_user(connection, target.user_id)  # before the import, in the order of deletion
    imports.lock_import(connection, target.import_id)
    new = _conversation(past, rounds)
    conversation_id = imported.add_conversation(connection, target.user_id, target.import_id, new)
    if conversation_id is None:
        return None
    turns_before = users.count_turns(connection, target.user_id, len(rounds) // 2)
    messages = [_message(one, new.created_at) for one in rounds]
    for first in range(0, len(messages), BATCH):
        batch = messages[first : first + BATCH]
        imported.add_messages(connection, conversation_id, first, turns_before, batch)
    if variants := _variants(rounds, new.created_at):
        imported.add_variants(connection, conversation_id, variants)
    return _claim(connection, conversation_id, new, settings)


def _claim(
    connection: PgConnection,
    conversation_id: ConversationId,
    new: ImportedConversation,
    settings: Settings,
) -> list[Due]:
    if not settings.enable_memory or new.mode == "off":
        return []
    return claim_backlog(connection, conversation_id, new.last_sequence, settings)


def _conversation(past: PastConversation, rounds: Sequence[Utterance]) -> ImportedConversation:
    times = [one.said_at for one in rounds if one.said_at]
    known_agents = {agent.name for agent in list_agents()}
    return ImportedConversation(
        source_key=past.source_key,
        title=past.title,
        agent=past.agent if past.agent in known_agents else DEFAULT_AGENT,
        mode=past.mode,
        created_at=past.created_at or times[0],
        updated_at=max(times),
        last_sequence=len(rounds) - 1,
        is_pinned=past.is_pinned,
        is_archived=past.is_archived,
    )


def _message(said: Utterance, fallback: datetime) -> ImportedMessage:
    return ImportedMessage(
        role=said.role,
        content=said.content,
        status=said.status,
        model=said.model,
        error=said.error,
        finish_reason=said.finish_reason,
        name=said.name,
        rating=said.rating,
        created_at=said.said_at or fallback,
    )


def _variants(rounds: Sequence[Utterance], fallback: datetime) -> list[ImportedVariant]:
    """Numbered from 1 in the file's order. The chosen one comes after them."""
    return [
        ImportedVariant(
            sequence=sequence,
            variant=variant,
            message=ImportedMessage(
                role=said.role,
                content=past.content,
                status=past.status,
                model=past.model,
                error=past.error,
                finish_reason=past.finish_reason,
                rating=past.rating,
                created_at=past.said_at or said.said_at or fallback,
            ),
        )
        for sequence, said in enumerate(rounds)
        for variant, past in enumerate(said.variants, start=1)
    ]
