"""Table `token_usage`: the tokens of each conversation, by purpose and model."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, execute, fetch_rows, prepared
from shared.models import ConversationId, Purpose, Usage


@dataclass(frozen=True, kw_only=True)
class UsageTotal:
    """All calls of one purpose to one model."""

    purpose: Purpose
    model: str
    calls: int
    tokens_in: int
    tokens_out: int


def add_usage(
    connection: PgConnection, conversation_id: ConversationId, purpose: Purpose, usage: Usage
) -> None:
    """Add `usage` to the total, in the transaction that writes what the model answered.

    It counts for the conversation, and for its user's day (`usage_days`).
    """
    execute(
        connection,
        prepared("""
        WITH counted AS (
            INSERT INTO token_usage AS total
                (conversation_id, purpose, model, calls, tokens_in, tokens_out)
            VALUES (%(conversation_id)s, %(purpose)s, %(model)s, %(calls)s, %(tokens_in)s,
                    %(tokens_out)s)
            ON CONFLICT (conversation_id, purpose, model) DO UPDATE
            SET calls = total.calls + excluded.calls,
                tokens_in = total.tokens_in + excluded.tokens_in,
                tokens_out = total.tokens_out + excluded.tokens_out)
        INSERT INTO usage_days AS today (user_id, tokens)
        SELECT user_id, %(tokens_in)s + %(tokens_out)s FROM conversations
        WHERE conversation_id = %(conversation_id)s
        ON CONFLICT (user_id, day) DO UPDATE SET tokens = today.tokens + excluded.tokens
        """),
        conversation_id=conversation_id,
        purpose=purpose,
        model=usage.model,
        calls=usage.calls,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
    )


def list_usage(connection: PgConnection, conversation_id: ConversationId) -> list[UsageTotal]:
    rows = fetch_rows(
        connection,
        """
        SELECT purpose, model, calls, tokens_in, tokens_out FROM token_usage
        WHERE conversation_id = %(conversation_id)s ORDER BY purpose, model
        """,
        conversation_id=conversation_id,
    )
    return [UsageTotal(**row) for row in rows]
