"""In which branch of its chat a found message is shown: branches share messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from shared.db import PgConnection
from shared.models import ConversationId, MessageKey, SearchFilter
from shared.models.attachments import FilePassage
from shared.policy.branches import list_holders
from shared.store import branches
from shared.store.search.hits import FoundMessage

Hit = TypeVar("Hit", FoundMessage, FilePassage)


def list_places(
    connection: PgConnection, hits: Sequence[FoundMessage | FilePassage], only: SearchFilter
) -> dict[MessageKey, ConversationId]:
    """By message, the branch that shows it: the open one, or that which was active last.

    Messages of chats without branches are left out.
    """
    families = branches.list_families(connection, {hit.conversation_id for hit in hits})
    by_id = {branch.conversation_id: family for family in families for branch in family}
    open_first = only.conversation_ids[:1] if only.conversation_ids else []
    places = {}
    for hit in hits:
        family = by_id.get(hit.conversation_id)
        if family is None:
            continue
        key = MessageKey(hit.conversation_id, hit.sequence_number)
        holders = list_holders(family, *key)
        candidates = [*open_first, *(branch.conversation_id for branch in family)]
        places[key] = next(branch for branch in candidates if branch in holders)
    return places


def placed(hits: Sequence[Hit], places: dict[MessageKey, ConversationId]) -> list[Hit]:
    """The hits as they are shown."""
    return [
        replace(
            hit,
            conversation_id=places.get(
                MessageKey(hit.conversation_id, hit.sequence_number), hit.conversation_id
            ),
        )
        for hit in hits
    ]
