"""The end of a round: one short transaction, then Redis and the broker, which may fail."""

from __future__ import annotations

from shared.db import PgConnection
from shared.derivations.claiming import claim_due, claim_facts
from shared.llm import Usage
from shared.models import ConversationId, Due, Mode, Outcome
from shared.settings import Settings
from shared.store import conversations, replies, usage

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
    conversations.hold_conversation(connection, conversation_id)
    if not replies.close_reply(connection, conversation_id, sequence, fencing_token, outcome):
        return None
    conversations.advance(connection, conversation_id, sequence)
    _count_tokens(connection, conversation_id, outcome)
    if mode == "off" or not settings.enable_memory:
        return []
    if outcome.status not in KEPT:
        said = claim_facts(connection, conversation_id, sequence, settings)
        return [said] if said else []
    return claim_due(connection, conversation_id, sequence, settings)


def _count_tokens(
    connection: PgConnection, conversation_id: ConversationId, outcome: Outcome
) -> None:
    """What a reply has cost; one that was stopped or failed does not tell."""
    if outcome.model is not None and outcome.tokens_in + outcome.tokens_out > 0:
        spent = Usage(
            tokens_in=outcome.tokens_in, tokens_out=outcome.tokens_out, model=outcome.model
        )
        usage.add_usage(connection, conversation_id, "reply", spent)
