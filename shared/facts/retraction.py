"""A message is taken back: what was learned from it was never said.

What it merely confirmed stays confirmed: nothing tells how sure it was before.
"""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import Message, UserId
from shared.store.facts import sources as fact_sources
from shared.store.facts import suggestions


def unlearn(connection: PgConnection, user_id: UserId, message: Message) -> None:
    """Versions that come from `message` go, and what they replaced or it retracted holds again.

    The user's row is locked.
    """
    suggestions.delete_suggested_by(
        connection, user_id, message.conversation_id, message.sequence_number
    )
    fact_sources.reopen_retracted(connection, user_id, message.created_at)
    for fact in fact_sources.list_learned_from(
        connection, user_id, message.conversation_id, message.sequence_number
    ):
        fact_sources.delete_version(connection, user_id, fact)
