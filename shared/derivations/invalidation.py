"""Invalidates what was derived from a message that is replaced or deleted.

Rows are marked failed and emptied. A running job loses its lease, so it cannot write what it
derived from the old text. The caller has locked the conversation.
"""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId
from shared.models.job_kinds import DERIVATIONS
from shared.store import titles
from shared.store.lease import claims
from shared.store.search import message_vectors


def invalidate_from(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Invalidate what was derived from message `sequence` and later ones, which are replaced."""
    message_vectors.delete_vectors_from(connection, conversation_id, sequence)
    titles.discard_title(connection, conversation_id, sequence)
    for derivation in DERIVATIONS.values():
        if derivation.outdated:
            claims.discard(connection, derivation, conversation_id, sequence, "later")


def invalidate_covering(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Invalidate what was derived from message `sequence`, which was deleted. Later ones stay."""
    titles.discard_title(connection, conversation_id, sequence)
    for derivation in DERIVATIONS.values():
        if derivation.outdated:
            claims.discard(connection, derivation, conversation_id, sequence, derivation.outdated)
