"""Moves of a chat between projects, and what of the facts learned from it goes along.

Messages, episodes and summaries belong to their conversation, and so to the memory that it is in.
"""

from __future__ import annotations

from dataclasses import replace

from shared.db import PgConnection, enter_memory
from shared.models import Conversation
from shared.models.memory_scope import ALL_MEMORIES
from shared.store import conversations, projects
from shared.store.facts import memories
from shared.store.facts.memories import Move, MovedFacts


def preview_move(
    connection: PgConnection, conversation: Conversation, project: str | None
) -> tuple[Move, MovedFacts]:
    """What `move_conversation` would do. Raises `NotFoundError` for an unknown project."""
    move, _ = _plan(connection, conversation, project)
    if move.source == move.target:
        return move, MovedFacts(0, 0)
    return move, memories.count_moved(connection, conversation.user_id, move)


def move_conversation(
    connection: PgConnection, conversation: Conversation, project: str | None
) -> Conversation:
    """Move the facts, and return the conversation as it is to be written. None: into no project.

    The caller has locked the user and the chat. Raises `NotFoundError`.
    """
    move, name = _plan(connection, conversation, project)
    if move.source != move.target:
        memories.move_facts(connection, conversation.user_id, move)
    return replace(conversation, project=name)


def _plan(
    connection: PgConnection, conversation: Conversation, project: str | None
) -> tuple[Move, str | None]:
    """The move of all branches of the chat, and the name of the project as it is spelt."""
    enter_memory(connection, ALL_MEMORIES)
    source = projects.find_memory(connection, conversation.conversation_id)
    target = name = None
    if project is not None:
        text = projects.get_text(connection, conversation.user_id, project)
        name, target = text.name, text.name if text.own_memory else None
    branches = conversations.list_chat(connection, conversation.chat_id)
    return Move([branch.conversation_id for branch in branches], source, target), name
