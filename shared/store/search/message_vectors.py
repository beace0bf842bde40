"""Tables `message_embeddings` and `unembedded_messages`: vectors, and messages that wait for one.

A trigger puts a message on the waiting list when it is written or changed. Messages that are off
the record are never put there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import ConversationId, Encoded, MessageKey, UserId
from shared.store.rows import read_message_key
from shared.store.search.literals import halfvec_literal


@dataclass(frozen=True, kw_only=True)
class Unembedded:
    """A message that waits for its vector."""

    key: MessageKey
    text: str
    #: The number of its entry on the list. A changed text has a new one.
    ticket: int


def list_unembedded(connection: PgConnection, limit: int) -> dict[UserId, list[int]]:
    """The tickets of messages that wait for a vector, by user.

    Half of them are the oldest entries, half the newest. So new messages do not wait for a whole
    import, and an import does not wait for a pause.
    """
    rows = fetch_rows(
        connection,
        """
        (SELECT user_id, ticket FROM unembedded_messages ORDER BY ticket DESC LIMIT %(newest)s)
        UNION
        (SELECT user_id, ticket FROM unembedded_messages ORDER BY ticket LIMIT %(oldest)s)
        """,
        newest=limit - limit // 2,
        oldest=limit // 2,
    )
    tickets: defaultdict[UserId, list[int]] = defaultdict(list)
    for row in rows:
        tickets[UserId(row["user_id"])].append(row["ticket"])
    return tickets


def read_unembedded(
    connection: PgConnection, tickets: Sequence[int], max_chars: int
) -> list[Unembedded]:
    """The messages of these tickets that still wait."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id, sequence_number, ticket, left(content, %(max_chars)s) AS text
        FROM unembedded_messages JOIN messages USING (conversation_id, sequence_number)
        WHERE ticket = ANY(%(tickets)s)
        """,
        tickets=list(tickets),
        max_chars=max_chars,
    )
    return [
        Unembedded(
            key=read_message_key(row),
            text=row["text"],
            ticket=row["ticket"],
        )
        for row in rows
    ]


def count_unembedded(connection: PgConnection, at_most: int) -> int:
    """How many messages wait for a vector. Counting stops at `at_most`."""
    row = fetch_row(
        connection,
        "SELECT count(*) AS count FROM (SELECT FROM unembedded_messages LIMIT %(at_most)s) AS few",
        at_most=at_most,
    )
    return int(row["count"]) if row else 0


def set_embeddings(
    connection: PgConnection,
    done: Sequence[tuple[Unembedded, Encoded]],
    embedding_model: str,
) -> None:
    """Store the vectors of texts that have not changed since they were listed.

    A text that has changed has a new ticket and stays on the list.
    """
    keys = _columns([entry.key for entry, _ in done])
    execute(
        connection,
        """
        WITH waiting AS (
            DELETE FROM unembedded_messages WHERE ticket = ANY(%(tickets)s)
            RETURNING conversation_id, sequence_number)
        INSERT INTO message_embeddings
            (user_id, conversation_id, sequence_number, embedding, token_signs, embedding_model)
        SELECT m.user_id, conversation_id, sequence_number, given.embedding, given.token_signs,
               %(embedding_model)s
        FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[], %(vectors)s::halfvec[],
                    %(token_signs)s::bytea[])
             AS given (conversation_id, sequence_number, embedding, token_signs)
        JOIN waiting USING (conversation_id, sequence_number)
        JOIN messages m USING (conversation_id, sequence_number)
        ON CONFLICT (conversation_id, sequence_number) DO UPDATE
        SET embedding = excluded.embedding, token_signs = excluded.token_signs,
            embedding_model = excluded.embedding_model
        """,
        **keys,
        vectors=[halfvec_literal(encoded.vector) for _, encoded in done],
        token_signs=[encoded.token_signs.tobytes() for _, encoded in done],
        embedding_model=embedding_model,
        tickets=[entry.ticket for entry, _ in done],
    )


def delete_vectors(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> None:
    """Delete the vectors of messages that were deleted.

    Their entries on the list are deleted first. A writer of a vector must lock the entry, so no
    vector can be written afterwards.
    """
    execute(
        connection,
        """
        DELETE FROM unembedded_messages
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )
    execute(
        connection,
        """
        DELETE FROM message_embeddings
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )


def delete_vectors_from(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> None:
    """Delete the vectors of message `sequence` and of all after it: their texts change."""
    execute(
        connection,
        """
        DELETE FROM message_embeddings
        WHERE conversation_id = %(conversation_id)s AND sequence_number >= %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )


def list_of_other_models(connection: PgConnection, embedding_model: str, limit: int) -> int:
    """Put messages whose vector another model made on the waiting list. Returns how many."""
    return execute(
        connection,
        """
        INSERT INTO unembedded_messages (user_id, conversation_id, sequence_number)
        SELECT user_id, conversation_id, sequence_number FROM message_embeddings
        WHERE embedding_model < %(embedding_model)s OR embedding_model > %(embedding_model)s
        LIMIT %(limit)s
        ON CONFLICT (conversation_id, sequence_number) DO UPDATE SET ticket = DEFAULT
        """,
        embedding_model=embedding_model,
        limit=limit,
    )


def count_of_other_models(connection: PgConnection, embedding_model: str) -> int:
    """How many messages have a vector of another model, or wait for one."""
    row = fetch_row(
        connection,
        """
        SELECT (SELECT count(*) FROM message_embeddings
                WHERE embedding_model < %(embedding_model)s
                   OR embedding_model > %(embedding_model)s)
             + (SELECT count(*) FROM unembedded_messages) AS count
        """,
        embedding_model=embedding_model,
    )
    return int(row["count"]) if row else 0


def _columns(keys: Sequence[MessageKey]) -> dict[str, list[Any]]:
    return {
        "conversations": [key.conversation_id for key in keys],
        "sequences": [key.sequence_number for key in keys],
    }
