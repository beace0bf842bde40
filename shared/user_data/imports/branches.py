"""Finds the conversation that an imported one branches from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.db import PgConnection
from shared.models import Conversation, ConversationId, UserId
from shared.policy.branches import parent_of_branch
from shared.rounds.branching import MAX_BRANCHES
from shared.store import branches, conversations
from shared.store.upkeep import imported_branches
from shared.store.upkeep.imported_conversations import ImportedMessage, find_known
from shared.user_data.imports.past_conversation import PastConversation, Utterance


class Origin(NamedTuple):
    conversation_id: ConversationId
    #: The first message that is not shared: a user's.
    at: int
    parent: Conversation


def find_origin(
    connection: PgConnection,
    user_id: UserId,
    past: PastConversation,
    rounds: Sequence[Utterance],
    messages: Sequence[ImportedMessage],
) -> Origin | None:
    """Find where the conversation branches. None: what it shares with another is not here.

    The caller has locked the user. `messages` are `rounds` as they are stored.
    """
    branch = past.branch
    if branch is None:
        return None
    parent = find_known(connection, user_id, branch.source_key, [branch.conversation_id])
    if parent is None:
        return None
    locked = conversations.lock_conversation(connection, user_id, parent.conversation_id)
    most = _place_of(rounds, branch.at)
    shared = imported_branches.count_shared(connection, parent.conversation_id, messages[:most])
    at = shared - shared % 2
    if at == 0 and most > 0:
        return None
    family = branches.list_family(connection, parent.conversation_id)
    if len(family) >= MAX_BRANCHES:
        return None
    holder = parent_of_branch(family, parent.conversation_id, at)
    if holder.conversation_id != parent.conversation_id:
        conversations.lock_conversation(connection, user_id, holder.conversation_id)
    return Origin(holder.conversation_id, at, locked)


def _place_of(rounds: Sequence[Utterance], number: int) -> int:
    """How many messages stand before message `number` of the file."""
    for place, utterance in enumerate(rounds):
        if utterance.numbers and max(utterance.numbers) >= number:
            return place
    return len(rounds)
