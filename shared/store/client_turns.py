"""Table `client_turns`: what clients of OpenAI's protocol sent and got, and marks to know it by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg2.extras import Json

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows, prepared
from shared.models import ConversationId, UserId
from shared.models.clients import ClientMessage, ClientTurn, StoredRound, StoredRun
from shared.policy.clients.client_messages import calls_of
from shared.store.rows import read_conversation_id

MAX_FOUND = 12  # conversations that are compared with one request
ROUNDS_BEFORE = 24
ROUNDS_AFTER = 6


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A conversation that has a message with one of the marks."""

    conversation_id: ConversationId
    #: The newest such message.
    sequence: int


def save_turn(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, turn: ClientTurn
) -> None:
    execute(
        connection,
        """
        INSERT INTO client_turns
            (conversation_id, sequence_number, user_id, digest, chain, payload)
        VALUES (%(conversation_id)s, %(sequence)s, %(user_id)s, %(digest)s, %(chain)s,
                %(payload)s)
        ON CONFLICT (conversation_id, sequence_number) DO UPDATE
        SET digest = excluded.digest, chain = excluded.chain, payload = excluded.payload
        """,
        conversation_id=conversation_id,
        sequence=turn.sequence_number,
        user_id=user_id,
        digest=turn.digest,
        chain=turn.chain,
        payload=None if turn.payload is None else Json(turn.payload),
    )


def save_reply(connection: PgConnection, conversation_id: ConversationId, turn: ClientTurn) -> None:
    """Save the reply to a message that a client sent. Any other reply is not saved."""
    execute(
        connection,
        prepared("""
        INSERT INTO client_turns (conversation_id, sequence_number, user_id, digest, payload)
        SELECT conversation_id, %(sequence)s, user_id, %(digest)s, %(payload)s FROM client_turns
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s - 1
        ON CONFLICT (conversation_id, sequence_number) DO UPDATE
        SET digest = excluded.digest, payload = excluded.payload
        """),
        conversation_id=conversation_id,
        sequence=turn.sequence_number,
        digest=turn.digest,
        payload=None if turn.payload is None else Json(turn.payload),
    )


def delete_turns(
    connection: PgConnection, conversation_id: ConversationId, sequences: Sequence[int]
) -> None:
    """Delete the turns of messages that were deleted or reworded."""
    execute(
        connection,
        """
        DELETE FROM client_turns
        WHERE conversation_id = %(conversation_id)s
          AND sequence_number = ANY(%(sequences)s::integer[])
        """,
        conversation_id=conversation_id,
        sequences=list(sequences),
    )


def find_turn(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> ClientTurn | None:
    row = fetch_row(
        connection,
        """
        SELECT sequence_number, digest, chain, payload FROM client_turns
        WHERE conversation_id = %(conversation_id)s AND sequence_number = %(sequence)s
        """,
        conversation_id=conversation_id,
        sequence=sequence,
    )
    if row is None:
        return None
    return ClientTurn(
        sequence_number=row["sequence_number"],
        digest=row["digest"],
        chain=row["chain"],
        payload=row["payload"],
    )


def find_hits(
    connection: PgConnection, user_id: UserId, chains: Sequence[str], digests: Sequence[str]
) -> list[Hit]:
    """Conversations with messages of these marks: by chain first, then the latest active."""
    rows = fetch_rows(
        connection,
        """
        SELECT c.conversation_id,
               coalesce(max(t.sequence_number) FILTER (WHERE t.chain = ANY(%(chains)s::text[])),
                        max(t.sequence_number)) AS sequence
        FROM client_turns t JOIN conversations c USING (conversation_id)
        WHERE t.user_id = %(user_id)s AND c.user_id = %(user_id)s
          AND (c.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
          AND (t.chain = ANY(%(chains)s::text[]) OR t.digest = ANY(%(digests)s::text[]))
        GROUP BY c.conversation_id, c.updated_at
        ORDER BY bool_or(coalesce(t.chain = ANY(%(chains)s::text[]), false)) DESC,
                 c.updated_at DESC
        LIMIT %(limit)s
        """,
        user_id=user_id,
        chains=list(chains),
        digests=list(digests),
        limit=MAX_FOUND,
    )
    return [
        Hit(conversation_id=read_conversation_id(row), sequence=row["sequence"]) for row in rows
    ]


def read_run(
    connection: PgConnection, conversation_id: ConversationId, around: int | None = None
) -> StoredRun:
    """The rounds around a message. None: the newest ones."""
    rows = fetch_rows(
        connection,
        """
        WITH bounds AS (
            SELECT max(sequence_number) / 2 AS newest,
                   coalesce(%(around)s::integer, max(sequence_number)) / 2 AS middle
            FROM messages WHERE conversation_id = %(conversation_id)s
        )
        SELECT asked.sequence_number, asked.content AS asked, reply.content AS reply,
               reply.status, marks.digest, marks.chain, sent.payload, bounds.newest
        FROM bounds
        JOIN messages asked ON asked.conversation_id = %(conversation_id)s
         AND asked.sequence_number %% 2 = 0
         AND asked.sequence_number BETWEEN (bounds.middle - %(before)s) * 2
                                       AND (bounds.middle + %(after)s) * 2
        LEFT JOIN messages reply ON reply.conversation_id = asked.conversation_id
              AND reply.sequence_number = asked.sequence_number + 1
        LEFT JOIN client_turns marks ON marks.conversation_id = asked.conversation_id
              AND marks.sequence_number = asked.sequence_number
        LEFT JOIN client_turns sent ON sent.conversation_id = asked.conversation_id
              AND sent.sequence_number = asked.sequence_number + 1
        ORDER BY asked.sequence_number
        """,
        conversation_id=conversation_id,
        around=around,
        before=ROUNDS_BEFORE,
        after=ROUNDS_AFTER,
    )
    newest = rows[-1]["newest"] * 2 if rows else 0
    return StoredRun(
        conversation_id=conversation_id,
        rounds=[_round(row) for row in rows],
        reaches_end=not rows or rows[-1]["sequence_number"] == newest,
    )


def _round(row: Row) -> StoredRound:
    return StoredRound(
        sequence=row["sequence_number"],
        question=row["asked"],
        reply=row["reply"] or "",
        digest=row["digest"],
        chain=row["chain"],
        calls=calls_of(row["payload"] or ()),
        is_open=row["status"] == "streaming",
    )


def list_sent(
    connection: PgConnection, conversation_id: ConversationId, first: int, last: int
) -> list[ClientMessage]:
    """The stored messages from `first` to `last` in OpenAI's form, as they were sent."""
    rows = fetch_rows(
        connection,
        """
        SELECT m.role, m.content, t.payload
        FROM messages m LEFT JOIN client_turns t USING (conversation_id, sequence_number)
        WHERE m.conversation_id = %(conversation_id)s
          AND m.sequence_number BETWEEN %(first)s AND %(last)s
        ORDER BY m.sequence_number
        """,
        conversation_id=conversation_id,
        first=first,
        last=last,
    )
    messages: list[ClientMessage] = []
    for row in rows:
        messages += row["payload"] or [{"role": row["role"], "content": row["content"]}]
    return messages
