"""Table `memory`: rolling summaries. Each continues an earlier one, its base."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from psycopg2.extras import Json

from shared.db import PgConnection, Row, fetch_row, fetch_rows, prepared
from shared.models import Anchor, Claim, ConversationId, Due, Point, Span, Summary
from shared.models.job_kinds import SUMMARY
from shared.policy.window import LONGEST_WAIT_S, PAUSE_FACTOR, SLOW_MS
from shared.store.lease import claims
from shared.store.lease.lagging import LagRule
from shared.store.rows import is_fallback, read_conversation_id

LAG_RULE = LagRule(
    derivation=SUMMARY,
    due="c.last_sequence >= %(summarize_after)s AND newest.status IN ('complete', 'partial')",
    covered="job.status = 'completed' AND job.end_sequence >= c.last_sequence",
)


@dataclass(frozen=True, kw_only=True)
class NewSummary:
    """The values that complete the job of a summary."""

    #: The points as one text.
    memory_text: str
    points: tuple[Point, ...]
    model: str
    #: None: the stand-in wrote it as a fallback.
    prompt_version: str | None
    generation_time_ms: int


def claim_summary(
    connection: PgConnection,
    conversation_id: ConversationId,
    span: Span,
    grace_s: float,
    *,
    may_wait: bool = False,
) -> Due | None:
    """Insert the `processing` row. None: there is one, or a summary reaches that far already,
    or, with `may_wait`, it waits for a pause (`shared/policy/window.py`).
    """
    row = fetch_row(
        connection,
        prepared("""
        INSERT INTO memory
            (conversation_id, start_sequence, end_sequence, base_memory_id, status, lease_until)
        SELECT %(conversation_id)s, %(start)s, %(end)s, max(base.memory_id),
               'processing', now() + make_interval(secs => %(grace_s)s)
        FROM (SELECT memory_id, end_sequence,
                     generation_time_ms >= %(slow_ms)s
                     AND finished_at > now() - make_interval(secs => %(longest_wait_s)s)
                     AND updated_at > now()
                         - make_interval(secs => %(pause_factor)s * generation_time_ms / 1000.0)
                     AND end_sequence + 1 >=
                         (SELECT (trace #>> '{verbatim,start}')::integer FROM messages
                          WHERE conversation_id = %(conversation_id)s
                            AND sequence_number = %(end)s) AS may_wait
              FROM memory JOIN conversations USING (conversation_id)
              WHERE conversation_id = %(conversation_id)s AND memory.status = 'completed'
              ORDER BY end_sequence DESC LIMIT 1) AS base
        HAVING coalesce(max(base.end_sequence), -1) < %(end)s
           AND NOT (%(may_wait)s AND coalesce(bool_or(base.may_wait), false))
        ON CONFLICT (conversation_id) WHERE status = 'processing' DO NOTHING
        RETURNING memory_id
        """),
        conversation_id=conversation_id,
        start=span.start,
        end=span.end,
        grace_s=grace_s,
        may_wait=may_wait,
        slow_ms=SLOW_MS,
        pause_factor=PAUSE_FACTOR,
        longest_wait_s=LONGEST_WAIT_S,
    )
    return (
        Due(kind="summary", job_id=row["memory_id"], conversation_id=conversation_id)
        if row
        else None
    )


def complete_summary(connection: PgConnection, claim: Claim, new: NewSummary) -> bool:
    """Complete a job. False: its lease was lost, and nothing was written."""
    return claims.complete(
        connection,
        SUMMARY,
        claim,
        memory_text=new.memory_text,
        points=Json([asdict(point) for point in new.points]),
        model=new.model,
        prompt_version=new.prompt_version,
        generation_time_ms=new.generation_time_ms,
    )


def find_newest_summary(
    connection: PgConnection, conversation_id: ConversationId
) -> Summary | None:
    """The completed summary that reaches furthest."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM memory
        WHERE conversation_id = %(conversation_id)s AND status = 'completed'
        ORDER BY end_sequence DESC LIMIT 1
        """,
        conversation_id=conversation_id,
    )
    return from_row(row) if row else None


def find_anchor(connection: PgConnection, conversation_id: ConversationId, before: int) -> Anchor:
    """Where the newest prompt before message `before` began, and what the next one may begin with.

    The beginning is read from the trace of that prompt's reply. Only the newest replies are read.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        WITH anchor AS (
            SELECT (trace #>> '{verbatim,start}')::integer AS start FROM messages
            WHERE conversation_id = %(conversation_id)s AND role = 'assistant'
              AND sequence_number < %(before)s AND sequence_number >= %(before)s - 20
              AND trace #>> '{verbatim,start}' IS NOT NULL
            ORDER BY sequence_number DESC LIMIT 1
        ), front AS (
            SELECT jsonb_path_query_array(trace, '$.episodes[*] ? (@.stands == true).episode_id')
                   AS episode_ids FROM messages
            WHERE conversation_id = %(conversation_id)s AND role = 'assistant'
              AND sequence_number < %(before)s AND sequence_number >= %(before)s - 20
              AND trace -> 'episodes' IS NOT NULL
            ORDER BY sequence_number DESC LIMIT 1
        )
        SELECT anchor.start, anchor.episode_ids, own.memory_id, own.conversation_id,
               own.start_sequence, own.end_sequence, own.base_memory_id, own.status,
               own.memory_text, own.points, own.generation_time_ms, own.attempts, own.error,
               own.created_at, own.finished_at, own.model, own.prompt_version
        FROM (SELECT (SELECT start FROM anchor) AS start,
                     (SELECT episode_ids FROM front) AS episode_ids) AS anchor
        LEFT JOIN LATERAL (
            (SELECT * FROM memory
             WHERE conversation_id = %(conversation_id)s AND status = 'completed'
               AND end_sequence >= anchor.start - 1
             ORDER BY end_sequence LIMIT 1)
            UNION ALL
            (SELECT * FROM memory
             WHERE conversation_id = %(conversation_id)s AND status = 'completed'
             ORDER BY end_sequence DESC LIMIT 1)
        ) AS own ON true
        ORDER BY own.end_sequence
        """),
        conversation_id=conversation_id,
        before=before,
    )
    summaries = [from_row(row) for row in rows if row["memory_id"] is not None]
    return Anchor(
        start=next((row["start"] for row in rows), None),
        summary=summaries[0] if summaries else None,
        newest=summaries[-1] if summaries else None,
        episode_ids=next((row["episode_ids"] for row in rows), None),
    )


def find_summary_before(
    connection: PgConnection, conversation_id: ConversationId, start: int
) -> Summary | None:
    """The first completed summary that covers all before message `start`."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM memory
        WHERE conversation_id = %(conversation_id)s AND status = 'completed'
          AND end_sequence >= %(start)s - 1
        ORDER BY end_sequence LIMIT 1
        """,
        conversation_id=conversation_id,
        start=start,
    )
    return from_row(row) if row else None


def find_base(connection: PgConnection, memory_id: int) -> Summary | None:
    """The completed summary that this one continues."""
    row = fetch_row(
        connection,
        prepared("""
        SELECT base.memory_id, base.conversation_id, base.start_sequence, base.end_sequence,
               base.base_memory_id, base.status, base.memory_text, base.points,
               base.generation_time_ms, base.attempts, base.error, base.created_at,
               base.finished_at, base.model, base.prompt_version
        FROM memory JOIN memory base ON base.memory_id = memory.base_memory_id
        WHERE memory.memory_id = %(memory_id)s AND base.status = 'completed'
        """),
        memory_id=memory_id,
    )
    return from_row(row) if row else None


def list_summaries(
    connection: PgConnection,
    conversation_id: ConversationId,
    *,
    limit: int = 100,
    before_id: int | None = None,
) -> list[Summary]:
    """The conversation's summaries, newest first: also jobs that wait, run or have failed."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM memory
        WHERE conversation_id = %(conversation_id)s
          AND (%(before_id)s::bigint IS NULL OR memory_id < %(before_id)s)
        ORDER BY memory_id DESC LIMIT %(limit)s
        """,
        conversation_id=conversation_id,
        before_id=before_id,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def from_row(row: Row) -> Summary:
    return Summary(
        memory_id=row["memory_id"],
        conversation_id=read_conversation_id(row),
        start_sequence=row["start_sequence"],
        end_sequence=row["end_sequence"],
        base_memory_id=row["base_memory_id"],
        status=row["status"],
        memory_text=row["memory_text"],
        points=tuple(Point(**point) for point in row["points"] or ()),
        generation_time_ms=row["generation_time_ms"],
        attempts=row["attempts"],
        error=row["error"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        is_fallback=is_fallback(row),
    )
