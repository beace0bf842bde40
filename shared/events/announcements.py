"""After a commit with events: wake those who wait for them.

An announcement that is lost delays events, and loses none: followers poll, and the sweep looks for
what is due.
"""

from __future__ import annotations

from shared.ephemeral.news import tell_news
from shared.models import ConversationId, UserId
from shared.services import Services
from shared.store import conversations


def announce(services: Services, user_id: UserId) -> None:
    """Wake the user's followers. Call it after the commit."""
    tell_news(services.redis, user_id)


def announce_about(services: Services, conversation_id: ConversationId) -> None:
    """As `announce`, for the conversation's user. Nothing if it was deleted."""
    with services.database.transaction() as connection:
        conversation = conversations.find_any_conversation(connection, conversation_id)
    if conversation is not None:
        announce(services, conversation.user_id)
