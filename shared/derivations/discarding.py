"""What was made of a message no longer holds once that message is replaced."""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId
from shared.store import message_embeddings, titles
from shared.store.lease import claims
from shared.store.lease.kinds import DERIVATIONS


def discard_from(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Message `sequence` and all after it are being replaced. The conversation is locked."""
    message_embeddings.drop_from(connection, conversation_id, sequence)
    titles.take_back(connection, conversation_id, sequence)
    for derivation in DERIVATIONS.values():
        claims.discard_from(connection, derivation, conversation_id, sequence)
