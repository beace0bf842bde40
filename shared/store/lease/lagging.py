"""Conversations that are behind with nothing at it: one query, whatever is derived of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import LiteralString

from psycopg2.sql import SQL, Identifier

from shared.db import PgConnection, fetch_rows
from shared.models import ConversationId
from shared.store.lease.kinds import Derivation
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class Look:
    """Which of the conversations that are behind to look at.

    Those quiet for `quiet_s` (a lively one claims in its next round); with `within_s` only those
    that were lively that recently. A conversation whose job failed rests for `pause_s`, then for
    twice, four, eight times that, and for `longest_pause_s` at most.
    """

    quiet_s: float
    within_s: float | None
    pause_s: float
    longest_pause_s: float
    limit: int


def list_lagging(
    connection: PgConnection,
    derivation: Derivation,
    look: Look,
    *,
    due: LiteralString,
    covered: LiteralString,
    **parameters: object,
) -> list[tuple[ConversationId, int]]:
    """(conversation_id, last_sequence), the longest quiet first.

    `due` is an SQL condition on the conversation `c` and its `newest` message, `covered` one on
    a `job` that leaves nothing to do.
    """
    statement = SQL(
        """
        SELECT c.conversation_id, c.last_sequence
        FROM conversations c
        JOIN messages newest ON newest.conversation_id = c.conversation_id
                            AND newest.sequence_number = c.last_sequence
        WHERE c.updated_at < now() - make_interval(secs => %(quiet_s)s)
          AND (%(within_s)s::float8 IS NULL
               OR c.updated_at > now() - make_interval(secs => %(within_s)s::float8))
          AND c.mode <> 'off' AND {due}
          AND NOT EXISTS (
              SELECT 1 FROM {table} AS job
              WHERE job.conversation_id = c.conversation_id
                AND (job.status = 'processing' OR ({covered})))
          AND NOT EXISTS (
              SELECT 1 FROM (
                  SELECT max(finished_at) AS last_at, count(*) AS failures FROM {table} AS failed
                  WHERE failed.conversation_id = c.conversation_id AND failed.status = 'failed'
                    AND failed.{id} > coalesce(
                        (SELECT max(done.{id}) FROM {table} AS done
                         WHERE done.conversation_id = c.conversation_id
                           AND done.status NOT IN ('failed', 'processing')), 0)) AS in_a_row
              WHERE in_a_row.last_at > now() - make_interval(secs => least(%(longest_pause_s)s,
                  %(pause_s)s * power(2, least(in_a_row.failures - 1, 30)))))
        ORDER BY c.updated_at
        LIMIT %(limit)s
        """
    ).format(
        due=SQL(due),
        covered=SQL(covered),
        table=Identifier(derivation.table),
        id=Identifier(derivation.id_column),
    )
    rows = fetch_rows(connection, statement, **asdict(look), **parameters)
    return [(read_conversation_id(row), row["last_sequence"]) for row in rows]
