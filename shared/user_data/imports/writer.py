"""Writes one past conversation and claims its derivations, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.agents import DEFAULT_AGENT, list_agents
from shared.db import PgConnection
from shared.derivations.claims import claim_backlog
from shared.models import ConversationId, Due
from shared.settings import Settings
from shared.store import conversations, imports, users
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep.imported_branches import count_shared, mark_branch
from shared.store.upkeep.imported_conversations import (
    ImportedConversation,
    ImportedMessage,
    ImportedVariant,
)
from shared.user_data.imports.branches import Origin, find_origin
from shared.user_data.imports.past_conversation import PastConversation, Utterance
from shared.user_data.imports.projects import place_project
from shared.user_data.imports.target import Target

BATCH = 200


class Written(NamedTuple):
    conversation_id: ConversationId
    #: The jobs to send after the commit.
    due: list[Due]
    #: How many of its messages it shares with another branch of its chat. None: it is no branch.
    shared: int | None = None


def write_conversation(
    connection: PgConnection,
    target: Target,
    past: PastConversation,
    rounds: Sequence[Utterance],
    settings: Settings,
) -> Written | None:
    """None: another import has just written the same.

    `rounds` come from `alternate`.
    """
    users.lock_user(connection, target.user_id)  # before the import, in the order of deletion
    imports.lock_import(connection, target.import_id)
    project = place_project(connection, target, past.project)
    new = replace(_conversation(past, rounds, target.places.personas), project=project)
    messages = [_message(utterance, new.created_at) for utterance in rounds]
    origin = find_origin(connection, target.user_id, past, rounds, messages)
    if origin:
        new = _of_chat(new, past, origin)
    conversation_id = imported.add_conversation(connection, target.user_id, target.import_id, new)
    if conversation_id is None:
        return None
    if origin:
        copies = [replace(message, is_copy=True) for message in messages[: origin.at]]
        messages = [*copies, *messages[origin.at :]]
    _add_messages(connection, target, conversation_id, messages)
    if variants := _variants(rounds, new.created_at):
        imported.add_variants(connection, conversation_id, variants)
    if origin:
        mark_branch(connection, conversation_id, origin.conversation_id, origin.at)
    due = _claim(connection, conversation_id, new, settings)
    return Written(conversation_id, due, origin.at if origin else None)


def _of_chat(
    new: ImportedConversation, past: PastConversation, origin: Origin
) -> ImportedConversation:
    """The chat goes on showing the branch that its program shows."""
    parent = origin.parent
    if past.branch is None or not past.branch.is_hidden:
        return replace(new, mode=parent.mode)
    just_before = parent.updated_at - timedelta(microseconds=1)
    return replace(new, mode=parent.mode, updated_at=min(new.updated_at, just_before))


def extend_conversation(
    connection: PgConnection,
    target: Target,
    past: PastConversation,
    rounds: Sequence[Utterance],
    settings: Settings,
) -> Written | None:
    """Add what the file has more than an earlier one.

    None: its older messages are others, or the user has gone on here.
    """
    users.lock_user(connection, target.user_id)
    imports.lock_import(connection, target.import_id)
    known = imported.find_known(connection, target.user_id, past.source_key, past.own_ids)
    if known is None or known.imported_until != known.last_sequence:
        return None
    conversation_id, here = known.conversation_id, known.last_sequence + 1
    if (
        conversations.lock_conversation(connection, target.user_id, conversation_id).last_sequence
        != here - 1
    ):
        return None
    new = _conversation(past, rounds, {})
    messages = [_message(utterance, new.created_at) for utterance in rounds]
    if count_shared(connection, conversation_id, messages[:here]) < here:
        return None
    _add_messages(connection, target, conversation_id, messages, here)
    variants = [
        variant for variant in _variants(rounds, new.created_at) if variant.sequence >= here
    ]
    if variants:
        imported.add_variants(connection, conversation_id, variants)
    imported.extend_conversation(
        connection, conversation_id, target.import_id, new.last_sequence, new.updated_at
    )
    return Written(conversation_id, _claim(connection, conversation_id, new, settings))


def _add_messages(
    connection: PgConnection,
    target: Target,
    conversation_id: ConversationId,
    messages: Sequence[ImportedMessage],
    begin: int = 0,
) -> None:
    """Those from number `begin` on, which is a user's."""
    turns = users.count_turns(connection, target.user_id, (len(messages) - begin) // 2)
    for first in range(begin, len(messages), BATCH):
        batch = messages[first : first + BATCH]
        imported.add_messages(connection, conversation_id, first, turns - begin // 2, batch)


def _claim(
    connection: PgConnection,
    conversation_id: ConversationId,
    new: ImportedConversation,
    settings: Settings,
) -> list[Due]:
    if not settings.enable_memory or new.mode == "off":
        return []
    return claim_backlog(connection, conversation_id, new.last_sequence, settings)


def _conversation(
    past: PastConversation, rounds: Sequence[Utterance], personas: Mapping[int, int]
) -> ImportedConversation:
    times = [utterance.said_at for utterance in rounds if utterance.said_at]
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
        model=past.model,
        persona_id=personas.get(past.persona) if past.persona is not None else None,
        project=None,
    )


def _message(utterance: Utterance, fallback: datetime) -> ImportedMessage:
    return ImportedMessage(
        role=utterance.role,
        content=utterance.content,
        status=utterance.status,
        model=utterance.model,
        error=utterance.error,
        finish_reason=utterance.finish_reason,
        name=utterance.name,
        rating=utterance.rating,
        withheld_at=utterance.withheld_at,
        created_at=utterance.said_at or fallback,
    )


def _variants(rounds: Sequence[Utterance], fallback: datetime) -> list[ImportedVariant]:
    """Numbered from 1 in the file's order. The chosen one comes after them."""
    return [
        ImportedVariant(
            sequence=sequence,
            variant=variant,
            message=ImportedMessage(
                role=utterance.role,
                content=past.content,
                status=past.status,
                model=past.model,
                error=past.error,
                finish_reason=past.finish_reason,
                rating=past.rating,
                created_at=past.said_at or utterance.said_at or fallback,
            ),
        )
        for sequence, utterance in enumerate(rounds)
        for variant, past in enumerate(utterance.variants, start=1)
    ]
