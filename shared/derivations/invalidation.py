"""Invalidates what was derived from a message that is replaced or deleted.

Rows are marked failed and emptied. A running job loses its lease, so it cannot write what it
derived from the old text. A tidying reads no messages of its own span: it goes on. The caller has
locked the conversation.
"""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId
from shared.store import titles
from shared.store.lease import claims
from shared.store.lease.kinds import EPISODE, FACTS, SUMMARY, TITLE
from shared.store.search import message_vectors


def invalidate_from(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Invalidate what was derived from message `sequence` and later ones, which are replaced."""
    message_vectors.delete_vectors_from(connection, conversation_id, sequence)
    titles.discard_title(connection, conversation_id, sequence)
    for derivation in (SUMMARY, EPISODE, FACTS, TITLE):
        claims.discard_from(connection, derivation, conversation_id, sequence)


def invalidate_covering(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Invalidate what was derived from message `sequence`, which was deleted. Later ones stay.

    A rolling summary builds on earlier summaries, so all later summaries may contain the message,
    too. Completed fact extractions stay: `shared/facts/retraction.py` takes back the facts.
    """
    titles.discard_title(connection, conversation_id, sequence)
    claims.discard_from(connection, SUMMARY, conversation_id, sequence)
    for derivation in (EPISODE, TITLE):
        claims.discard_covering(connection, derivation, conversation_id, sequence)
    claims.discard_unfinished(connection, FACTS, conversation_id, sequence)
