"""The end of a round: one short transaction, then Redis and the broker, which may fail."""

from __future__ import annotations

from shared.db import PgConnection
from shared.models import ConversationId, Due, Mode, Outcome
from shared.policy import window
from shared.settings import Settings
from shared.store import conversations, memory, messages

# The replies from which memory is made. A failed one is likely to be tried again.
KEPT = ("complete", "partial")


def close_round(
    connection: PgConnection,
    *,
    conversation_id: ConversationId,
    mode: Mode,
    sequence: int,
    fencing_token: int,
    outcome: Outcome,
    settings: Settings,
) -> list[Due] | None:
    """Put the reply in place and claim what is due. None: somebody else has closed this round."""
    if not messages.close_reply(connection, conversation_id, sequence, fencing_token, outcome):
        return None
    conversations.advance(connection, conversation_id, sequence)
    if outcome.status not in KEPT or mode == "off" or not settings.enable_memory:
        return []
    return claim_due(connection, conversation_id, sequence, settings)


def claim_due(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> list[Due]:
    """Insert a `processing` row for each derivation that is due and not being worked on."""
    claimed = [_claim_summary(connection, conversation_id, last_saved, settings)]
    return [due for due in claimed if due is not None]


def _claim_summary(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    if not window.summary_due(last_saved, settings.memory_summarize_after_seq):
        return None
    span = window.summary_span(last_saved, settings.memory_rolling_window_size)
    return memory.claim_summary(connection, conversation_id, span, settings.dispatch_grace_s)
