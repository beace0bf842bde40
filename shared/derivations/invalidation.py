"""What was made of a message no longer holds once that message is replaced or deleted."""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId
from shared.store import titles
from shared.store.lease import claims
from shared.store.lease.kinds import DERIVATIONS, EPISODE, FACTS, SUMMARY, TITLE
from shared.store.search import message_vectors


def discard_from(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Message `sequence` and all after it are being replaced. The conversation is locked."""
    message_vectors.drop_from(connection, conversation_id, sequence)
    titles.take_back(connection, conversation_id, sequence)
    for derivation in DERIVATIONS.values():
        claims.discard_from(connection, derivation, conversation_id, sequence)


def discard_covering(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Message `sequence` was deleted, and all after it stay. The conversation is locked.

    A rolling summary stands on those before it, so that all later ones may tell of the message.
    What was read for facts need not be read again: what the message taught is taken back.
    """
    titles.take_back(connection, conversation_id, sequence)
    claims.discard_from(connection, SUMMARY, conversation_id, sequence)
    for derivation in (EPISODE, TITLE):
        claims.discard_covering(connection, derivation, conversation_id, sequence)
    claims.discard_at_work(connection, FACTS, conversation_id, sequence)
