"""The messages that a job reads."""

from __future__ import annotations

from dataclasses import replace

from shared.db import PgConnection
from shared.models import Claim, ConversationId, Message, Span
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import hide_secrets
from shared.services import Services
from shared.store import messages, users
from shared.time_zones import seen_from, zone_of


def read_messages(
    connection: PgConnection, conversation_id: ConversationId, span: Span, patterns: SecretPattern
) -> list[Message]:
    """The messages of `span` in order, without withheld ones. Times are in the user's zone.

    Secrets are hidden, since what a job writes may leave the chat. `patterns`: the operator's.
    """
    zone = zone_of(users.find_speakers_time_zone(connection, conversation_id))
    read = messages.list_messages(connection, conversation_id, span)
    shown = [
        replace(message, content=hide_secrets(message.content, patterns))
        for message in read
        if message.withheld_at is None
    ]
    return seen_from(zone, shown)


def read_span(services: Services, claim: Claim) -> list[Message]:
    """`read_messages` of a job's span."""
    patterns = services.settings.own_secrets
    with services.database.transaction(user=claim.user_id) as connection:
        return read_messages(connection, claim.conversation_id, claim.span, patterns)
