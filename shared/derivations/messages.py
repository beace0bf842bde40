"""The messages that a job reads."""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId, Message, Span
from shared.store import messages, users
from shared.time_zones import seen_from, zone_of


def read_messages(
    connection: PgConnection, conversation_id: ConversationId, span: Span
) -> list[Message]:
    """The messages of `span` in order, without withheld ones. Times are in the user's zone."""
    zone = zone_of(users.find_speakers_time_zone(connection, conversation_id))
    read = messages.list_messages(connection, conversation_id, span)
    return seen_from(zone, [message for message in read if message.withheld_at is None])
