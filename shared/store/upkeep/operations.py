"""View `jobs` over all conversations, for operators: ids, counts and times, never text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, fetch_row, fetch_rows
from shared.models import ConversationId, JobState, Kind, UserId
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class StateCount:
    """Jobs of one kind in one state: those that wait or run, or have ended lately."""

    kind: Kind
    state: JobState
    count: int


@dataclass(frozen=True, kw_only=True)
class Running:
    """The running times of the jobs of one kind that completed within one time step.

    Only the attempt that succeeded counts, from begin to completion.
    """

    kind: Kind
    #: The beginning of the step.
    since: datetime
    count: int
    average_ms: float
    longest_ms: float


def count_states(connection: PgConnection, within_s: float) -> list[StateCount]:
    """Count the jobs that wait or run, and those that ended in the last `within_s` seconds."""
    rows = fetch_rows(
        connection,
        """
        SELECT kind, state, count(*) AS count FROM (
            SELECT kind, state FROM jobs WHERE status = 'processing'
            UNION ALL
            SELECT kind, state FROM jobs
            WHERE finished_at > now() - make_interval(secs => %(within_s)s)
        ) AS recent
        GROUP BY kind, state ORDER BY kind, state
        """,
        within_s=within_s,
    )
    return [StateCount(**row) for row in rows]


@dataclass(frozen=True, kw_only=True)
class OpenJobs:
    """Jobs of one kind that wait, or that run."""

    kind: Kind
    state: JobState
    count: int
    #: Seconds since the oldest of them was claimed.
    oldest_s: float


def list_open(connection: PgConnection) -> list[OpenJobs]:
    rows = fetch_rows(
        connection,
        """
        SELECT kind, state, count(*) AS count,
               extract(epoch FROM now() - min(created_at))::float8 AS oldest_s
        FROM jobs WHERE status = 'processing' GROUP BY kind, state
        """,
    )
    return [OpenJobs(**row) for row in rows]


def list_running_times(
    connection: PgConnection, *, within_s: float, step_s: float
) -> list[Running]:
    """Running times in the last `within_s` seconds, by kind and step of `step_s`, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT kind, since, count(*) AS count, avg(ms)::float8 AS average_ms,
               max(ms)::float8 AS longest_ms
        FROM (SELECT kind, extract(epoch FROM finished_at - begun_at) * 1000 AS ms,
                     date_bin(make_interval(secs => %(step_s)s), finished_at,
                              'epoch'::timestamptz) AS since
              FROM jobs
              WHERE finished_at > now() - make_interval(secs => %(within_s)s)
                AND state = 'completed' AND begun_at IS NOT NULL) AS done
        GROUP BY kind, since ORDER BY since, kind
        """,
        within_s=within_s,
        step_s=step_s,
    )
    return [Running(**row) for row in rows]


@dataclass(frozen=True, kw_only=True)
class OpenRounds:
    """Replies that are being written."""

    count: int
    #: Seconds since the oldest of them was begun. None: there is none.
    oldest_s: float | None


def count_open_rounds(connection: PgConnection) -> OpenRounds:
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count,
               extract(epoch FROM now() - min(created_at))::float8 AS oldest_s
        FROM messages WHERE status = 'streaming'
        """,
    )
    assert row is not None  # noqa: S101 - one row always
    return OpenRounds(**row)


@dataclass(frozen=True, kw_only=True)
class UserLoad:
    """What one user has used today (UTC)."""

    user_id: str
    rounds: int
    searches: int
    tokens: int


def list_loads(connection: PgConnection, limit: int) -> list[UserLoad]:
    """The users with the most tokens and rounds today, the most first."""
    rows = fetch_rows(
        connection,
        """
        SELECT user_id, rounds, searches, tokens FROM usage_days
        WHERE day = current_date ORDER BY tokens DESC, rounds DESC, user_id LIMIT %(limit)s
        """,
        limit=limit,
    )
    return [UserLoad(**row) for row in rows]


@dataclass(frozen=True, kw_only=True)
class RatingCount:
    """How users have rated the chosen replies of one model."""

    #: None: an import that names none.
    model: str | None
    up: int
    down: int


def count_ratings(connection: PgConnection) -> list[RatingCount]:
    """By model, the most rated first."""
    rows = fetch_rows(
        connection,
        """
        SELECT model, count(*) FILTER (WHERE rating > 0) AS up,
               count(*) FILTER (WHERE rating < 0) AS down
        FROM messages WHERE rating IS NOT NULL
        GROUP BY model ORDER BY count(*) DESC, model
        """,
    )
    return [RatingCount(**row) for row in rows]


def list_newest_summarised(connection: PgConnection, limit: int) -> list[ConversationId]:
    """The conversations of the newest rolling summaries, newest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id FROM (
            SELECT conversation_id, memory_id FROM memory ORDER BY memory_id DESC LIMIT %(read)s
        ) AS newest
        GROUP BY conversation_id ORDER BY max(memory_id) DESC LIMIT %(limit)s
        """,
        read=20 * limit,
        limit=limit,
    )
    return [read_conversation_id(row) for row in rows]


def find_owner(connection: PgConnection, conversation_id: ConversationId) -> UserId | None:
    row = fetch_row(
        connection,
        "SELECT user_id FROM conversations WHERE conversation_id = %(conversation_id)s",
        conversation_id=conversation_id,
    )
    return UserId(row["user_id"]) if row else None
