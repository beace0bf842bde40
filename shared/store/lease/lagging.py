"""Conversations with a due job that was not claimed yet: one query for every kind of job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import LiteralString, NamedTuple

from psycopg2.sql import SQL, Identifier

from shared.db import PgConnection, fetch_rows
from shared.models import ConversationId, UserId
from shared.models.job_kinds import Derivation
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class LagFilter:
    """Selects among the conversations that are behind. Times are in seconds."""

    #: The least time since the last reply. An active conversation claims its jobs itself.
    quiet_s: float
    #: The longest time since the last reply. None: any.
    within_s: float | None
    #: The pause after a failed job. It doubles with each further failure in a row.
    pause_s: float
    #: The upper limit of that pause.
    longest_pause_s: float
    #: The largest number of conversations.
    limit: int


class Lagging(NamedTuple):
    """A conversation that is behind."""

    user_id: UserId
    conversation_id: ConversationId
    last_sequence: int


@dataclass(frozen=True, kw_only=True)
class LagRule:
    """When a conversation is behind with one kind of derived memory, as SQL conditions."""

    derivation: Derivation
    #: A condition on the conversation `c` and its `newest` message: there is something to derive.
    due: LiteralString = "newest.status IN ('complete', 'partial')"
    #: A condition on a row `job` of the kind's table: it leaves nothing to do.
    covered: LiteralString = "job.status = 'completed'"


def list_lagging(
    connection: PgConnection, rule: LagRule, lag_filter: LagFilter, **parameters: object
) -> list[Lagging]:
    """The conversations that are behind. The one with the oldest reply comes first.

    `parameters` are those of the rule's conditions.
    """
    statement = SQL(
        """
        SELECT c.user_id, c.conversation_id, c.last_sequence
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
        due=SQL(rule.due),
        covered=SQL(rule.covered),
        table=Identifier(rule.derivation.table),
        id=Identifier(rule.derivation.id_column),
    )
    rows = fetch_rows(connection, statement, **asdict(lag_filter), **parameters)
    return [
        Lagging(UserId(row["user_id"]), read_conversation_id(row), row["last_sequence"])
        for row in rows
    ]
