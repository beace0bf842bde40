"""The end of a round: one short transaction, then Redis and the broker, which may fail."""

from __future__ import annotations

from dataclasses import replace

from shared.db import PgConnection
from shared.derivations.claims import claim_due
from shared.guard import may_fail
from shared.models import REMEMBERED, ConversationId, Due, Mode, Outcome, Usage
from shared.settings import Settings
from shared.store import conversations, replies, usage


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
    conversations.lock_any_conversation(connection, conversation_id)
    if not _put_in_place(connection, conversation_id, sequence, fencing_token, outcome):
        return None
    conversations.advance(connection, conversation_id, sequence)
    may_fail(connection, "usage", lambda held: _count_tokens(held, conversation_id, outcome))
    if mode == "off" or not settings.enable_memory:
        return []
    if outcome.status not in REMEMBERED:
        return claim_due(connection, conversation_id, sequence, settings, kinds=("facts",))
    return claim_due(connection, conversation_id, sequence, settings)


def _put_in_place(
    connection: PgConnection,
    conversation_id: ConversationId,
    sequence: int,
    fencing_token: int,
    outcome: Outcome,
) -> bool:
    """Without its trace, if that is what cannot be kept."""

    def close(held: PgConnection, outcome: Outcome = outcome) -> bool:
        return replies.close_reply(held, conversation_id, sequence, fencing_token, outcome)

    closed = may_fail(connection, "trace", close)
    return close(connection, replace(outcome, trace={})) if closed is None else closed


def _count_tokens(
    connection: PgConnection, conversation_id: ConversationId, outcome: Outcome
) -> None:
    """What a reply has cost; one that was stopped or failed does not tell."""
    if outcome.model is not None and outcome.tokens_in + outcome.tokens_out > 0:
        spent = Usage(
            tokens_in=outcome.tokens_in, tokens_out=outcome.tokens_out, model=outcome.model
        )
        usage.add_usage(connection, conversation_id, "reply", spent)
