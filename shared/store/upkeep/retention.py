"""Delete old rows that are no longer needed, at most `limit` at a time.

Each function returns how many rows it deleted or changed. Locked rows are skipped.
"""

from __future__ import annotations

from shared.db import PgConnection, execute
from shared.models.job_kinds import Derivation
from shared.store.lease.statements import statement_for


def delete_failed_jobs(
    connection: PgConnection, derivation: Derivation, *, older_than_days: int, limit: int
) -> int:
    """Delete old failed rows: no other row and no watermark depends on them."""
    statement = statement_for(
        derivation,
        """
        DELETE FROM {table} WHERE {id} IN (
            SELECT {id} FROM {table}
            WHERE status = 'failed'
              AND finished_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY finished_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
    )
    return execute(connection, statement, older_than_days=older_than_days, limit=limit)


def join_extractions(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete old extractions, and let the oldest that is left cover their messages, too.

    The newest two stay: when the last round is written anew, the newest is discarded and the one
    before it counts. The oldest are deleted first, so that they leave no hole.
    """
    return execute(
        connection,
        """
        WITH old AS (
            SELECT id, conversation_id FROM fact_extractions job
            WHERE status = 'completed'
              AND finished_at < now() - make_interval(days => %(older_than_days)s)
              AND 2 = (SELECT count(*) FROM (
                  SELECT 1 FROM fact_extractions newer
                  WHERE newer.conversation_id = job.conversation_id
                    AND newer.status = 'completed' AND newer.end_sequence > job.end_sequence
                  LIMIT 2) AS two)
            ORDER BY finished_at, end_sequence LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED),
        first_left AS (
            SELECT DISTINCT ON (conversation_id) id FROM fact_extractions
            WHERE status = 'completed' AND id NOT IN (SELECT id FROM old)
              AND conversation_id IN (SELECT conversation_id FROM old)
            ORDER BY conversation_id, end_sequence),
        joined AS (
            UPDATE fact_extractions SET start_sequence = 0
            WHERE id IN (SELECT id FROM first_left))
        DELETE FROM fact_extractions WHERE id IN (SELECT id FROM old)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def delete_replaced_summaries(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete old summaries, but for the newest two of each conversation.

    When the last round is written anew, the newest is discarded and the one before it counts.
    """
    return execute(
        connection,
        """
        DELETE FROM memory WHERE memory_id IN (
            SELECT memory_id FROM memory old
            WHERE status = 'completed'
              AND finished_at < now() - make_interval(days => %(older_than_days)s)
              AND 2 = (SELECT count(*) FROM (
                  SELECT 1 FROM memory newer
                  WHERE newer.conversation_id = old.conversation_id
                    AND newer.status = 'completed' AND newer.end_sequence > old.end_sequence
                  LIMIT 2) AS two)
            ORDER BY finished_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def remove_idempotency_keys(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Remove the keys under which messages were sent. The messages stay."""
    return execute(
        connection,
        """
        UPDATE messages SET idempotency_user = NULL, idempotency_key = NULL
        WHERE (conversation_id, sequence_number) IN (
            SELECT conversation_id, sequence_number FROM messages
            WHERE idempotency_key IS NOT NULL
              AND created_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY created_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def delete_import_reports(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete the reports on imports. The imported conversations stay."""
    return execute(
        connection,
        """
        DELETE FROM imports WHERE import_id IN (
            SELECT import_id FROM imports
            WHERE finished_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY finished_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )


def delete_suggestions(connection: PgConnection, *, older_than_days: int, limit: int) -> int:
    """Delete suggestions that nobody has answered. What was dismissed stays dismissed."""
    return execute(
        connection,
        """
        DELETE FROM fact_suggestions WHERE id IN (
            SELECT id FROM fact_suggestions
            WHERE value IS NOT NULL
              AND created_at < now() - make_interval(days => %(older_than_days)s)
            ORDER BY created_at LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED)
        """,
        older_than_days=older_than_days,
        limit=limit,
    )
