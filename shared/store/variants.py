"""Table `reply_variants`: the variants of replies that are not chosen.

The chosen one is the message itself, so search, memory and prompts see no other. Callers that write
have locked the conversation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shared.db import PgConnection, Row, execute, fetch_rows, fetch_tuples
from shared.errors import NotFoundError
from shared.models import ConversationId, UserId, Variant
from shared.store.rows import read_conversation_id


class VariantKey(NamedTuple):
    conversation_id: ConversationId
    sequence: int
    variant: int


def keep_variant(connection: PgConnection, conversation_id: ConversationId, sequence: int) -> None:
    """Keep the chosen variant before another takes its place. One without text is not kept."""
    execute(
        connection,
        """
        INSERT INTO reply_variants
            (user_id, conversation_id, sequence_number, variant, content, status, finish_reason,
             model, error, trace, rating, created_at)
        SELECT user_id, conversation_id, sequence_number, variant, content, status, finish_reason,
               model, error, trace, rating, created_at
        FROM messages
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND role = 'assistant' AND status <> 'streaming' AND content <> ''
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def take_variant(
    connection: PgConnection, conversation_id: ConversationId, sequence: int, variant: int
) -> None:
    """Let a kept variant be the message, under a new fencing token. Raises `NotFoundError`.

    The caller has kept the one that was chosen before (`keep_variant`).
    """
    touched = execute(
        connection,
        """
        WITH taken AS (
            DELETE FROM reply_variants
            WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
              AND variant = %(variant)s
            RETURNING *)
        UPDATE messages m
        SET variant = taken.variant, content = taken.content, status = taken.status,
            finish_reason = taken.finish_reason, model = taken.model, error = taken.error,
            trace = taken.trace, rating = taken.rating, created_at = taken.created_at,
            fencing_token = nextval('fencing_tokens'), lease_until = NULL
        FROM taken
        WHERE m.conversation_id = taken.conversation_id
          AND m.sequence_number = taken.sequence_number
        """,
        conversation_id=conversation_id,
        sequence=sequence,
        variant=variant,
    )
    if touched == 0:
        raise NotFoundError("There is no such variant.")


def list_variants(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> list[Variant]:
    """All variants of a closed reply in their order, the chosen one among them."""
    rows = fetch_rows(
        connection,
        """
        SELECT variant, content, status, finish_reason, model, error, rating, created_at,
               false AS is_chosen
        FROM reply_variants
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
        UNION ALL
        SELECT variant, content, status, finish_reason, model, error, rating, created_at, true
        FROM messages
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND role = 'assistant' AND deleted_at IS NULL
        ORDER BY variant
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    return [_from_row(row) for row in rows]


def list_numbers(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> Mapping[int, tuple[int, ...]]:
    """The numbers of the variants that are not chosen, by sequence number."""
    rows = fetch_tuples(
        connection,
        """
        SELECT sequence_number, array_agg(variant ORDER BY variant) FROM reply_variants
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        GROUP BY sequence_number
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )
    return {sequence: tuple(numbers) for sequence, numbers in rows}


def delete_variants(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> None:
    """Delete the variants of replies that are deleted, or whose question was reworded."""
    execute(
        connection,
        """
        DELETE FROM reply_variants
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )


def forget_words(
    connection: PgConnection, conversation_id: ConversationId, deleted: Sequence[int]
) -> None:
    """Delete what traces contain of deleted messages, as `empty_messages` does."""
    execute(
        connection,
        """
        UPDATE reply_variants SET trace = trace - 'corrected'
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(replies)s::integer[]) AND trace ? 'corrected'
        """,
        conversation_id=conversation_id,
        replies=[sequence + 1 for sequence in deleted],
    )
    execute(
        connection,
        """
        UPDATE reply_variants SET trace = trace - 'reasoning'
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number > ANY(%(deleted)s::integer[]) AND trace ? 'reasoning'
        """,
        conversation_id=conversation_id,
        deleted=list(deleted),
    )


def list_containing(
    connection: PgConnection, user_id: UserId, patterns: Sequence[str]
) -> list[VariantKey]:
    """The user's variants that match any of these LIKE patterns."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id, sequence_number, variant FROM reply_variants
        WHERE user_id = %(user_id)s AND content ILIKE ANY (%(patterns)s::text[])
        """,
        user_id=user_id,
        patterns=list(patterns),
    )
    return [
        VariantKey(read_conversation_id(row), row["sequence_number"], row["variant"])
        for row in rows
    ]


def delete_variant(connection: PgConnection, key: VariantKey) -> None:
    execute(
        connection,
        """
        DELETE FROM reply_variants
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
          AND variant = %(variant)s
        """,
        conversation_id=key.conversation_id,
        sequence=key.sequence,
        variant=key.variant,
    )


def _from_row(row: Row) -> Variant:
    return Variant(
        number=row["variant"],
        content=row["content"],
        status=row["status"],
        finish_reason=row["finish_reason"],
        model=row["model"],
        error=row["error"],
        rating=row["rating"],
        created_at=row["created_at"],
        is_chosen=row["is_chosen"],
    )
