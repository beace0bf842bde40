"""Table `episodic_memory`: summaries of closed spans of messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.db import PgConnection, execute, fetch_row, fetch_rows, prepared
from shared.errors import NotFoundError
from shared.models import (
    Claim,
    ConversationId,
    Episode,
    Span,
    UserId,
)
from shared.models.job_kinds import EPISODE
from shared.store.lease import claims
from shared.store.lease.lagging import LagRule
from shared.store.rows import read_episode

LAG_RULE = LagRule(
    derivation=EPISODE,
    due="c.last_sequence + 1 >= %(pending)s",
    covered="""
        job.status IN ('completed', 'deleted') AND c.last_sequence - job.turn_end < %(pending)s
        """,
)


@dataclass(frozen=True, kw_only=True)
class NewEpisode:
    """The values that complete the job of an episode."""

    summary: str
    key_concepts: Sequence[str]
    #: When its first message was said.
    started_at: datetime
    #: When its last message was said.
    ended_at: datetime
    model: str
    #: None: the stand-in wrote it as a fallback.
    prompt_version: str | None


def find_pending(
    connection: PgConnection, conversation_id: ConversationId
) -> tuple[int, int | None]:
    """(first, next): the first message that no episode covers, and where the next episode begins.

    `next` is None if no episode follows. Otherwise there is a hole between two episodes: an
    episode was discarded because one of its messages was deleted. An episode that the user deleted
    keeps its span and leaves no hole.
    """
    row = fetch_row(
        connection,
        prepared("""
        SELECT coalesce(covered.covered_to, -1) + 1 AS first, covered.next
        FROM (
            SELECT turn_end AS covered_to, lead(turn_start) OVER (ORDER BY turn_start) AS next
            FROM (
                SELECT turn_start, turn_end FROM episodic_memory
                WHERE conversation_id = %(conversation_id)s
                  AND status IN ('completed', 'deleted')
                UNION ALL SELECT -1, -1) AS closed
        ) AS covered
        WHERE covered.next IS DISTINCT FROM covered.covered_to + 1
        ORDER BY covered.covered_to LIMIT 1
        """),
        conversation_id=conversation_id,
    )
    assert row is not None  # noqa: S101 - the last one has no next
    return row["first"], row["next"]


def close_empty(connection: PgConnection, claim: Claim) -> bool:
    """Complete a job whose messages were all deleted. False: the lease was lost."""
    completed = claims.complete(connection, EPISODE, claim, summary="")
    if completed:
        execute(
            connection,
            """
            UPDATE episodic_memory SET status = 'deleted', summary = NULL
            WHERE id = %(id)s AND status = 'completed'
            """,
            id=claim.job_id,
        )
    return completed


def complete_episode(connection: PgConnection, claim: Claim, new: NewEpisode) -> bool:
    """Complete the job. Search finds the episode by its words at once, by its vector later.

    False: the lease was lost, and nothing was written.
    """
    return claims.complete(
        connection,
        EPISODE,
        claim,
        summary=new.summary,
        key_concepts=list(new.key_concepts),
        started_at=new.started_at,
        ended_at=new.ended_at,
        model=new.model,
        prompt_version=new.prompt_version,
    )


def list_episodes(
    connection: PgConnection,
    user_id: UserId,
    *,
    conversation_id: ConversationId | None,
    limit: int,
    before_id: int | None,
) -> list[Episode]:
    """Newest first: of one conversation, or (None) of the memory that the transaction sees."""
    rows = fetch_rows(
        connection,
        """
        SELECT * FROM episodic_memory
        WHERE user_id = %(user_id)s AND status = 'completed'
          AND CASE WHEN %(conversation_id)s::uuid IS NULL
              THEN (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
              ELSE conversation_id = %(conversation_id)s::uuid END
          AND (%(before_id)s::bigint IS NULL OR id < %(before_id)s)
        ORDER BY id DESC LIMIT %(limit)s
        """,
        user_id=user_id,
        conversation_id=conversation_id,
        before_id=before_id,
        limit=limit,
    )
    return [read_episode(row) for row in rows]


def list_covered(connection: PgConnection, conversation_id: ConversationId) -> list[Span]:
    """The messages that episodes cover, as the fewest spans, oldest first."""
    rows = fetch_rows(
        connection,
        """
        SELECT lower(covered) AS first, upper(covered) - 1 AS last
        FROM (SELECT unnest(range_agg(int8range(turn_start, turn_end, '[]'))) AS covered
              FROM episodic_memory
              WHERE conversation_id = %(conversation_id)s AND status = 'completed') AS spans
        ORDER BY first
        """,
        conversation_id=conversation_id,
    )
    return [Span(start=row["first"], end=row["last"]) for row in rows]


def list_by_ids(
    connection: PgConnection,
    user_id: UserId,
    episode_ids: Sequence[int],
    *,
    of_memory: bool = False,
) -> list[Episode]:
    """The episodes with these ids that are not deleted.

    `of_memory`: only those of the memory that this transaction has entered.
    """
    rows = fetch_rows(
        connection,
        prepared("""
        SELECT id, conversation_id, turn_start, turn_end, summary, key_concepts, started_at,
               ended_at, embedding_model, created_at, model, prompt_version
        FROM episodic_memory
        WHERE user_id = %(user_id)s AND id = ANY(%(episode_ids)s) AND status = 'completed'
          AND (NOT %(of_memory)s OR
               (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL))
        """),
        user_id=user_id,
        episode_ids=list(episode_ids),
        of_memory=of_memory,
    )
    return [read_episode(row) for row in rows]


def count_vectors(connection: PgConnection, user_id: UserId, episode_id: int) -> int:
    """How many vectors the episode has: 0 or 1.

    Raises `NotFoundError`, also when it is somebody else's.
    """
    row = fetch_row(
        connection,
        """
        SELECT num_nonnulls(embedding) AS vectors FROM episodic_memory
        WHERE id = %(id)s AND user_id = %(user_id)s AND status = 'completed'
        """,
        id=episode_id,
        user_id=user_id,
    )
    if row is None:
        raise NotFoundError("There is no such episode.")
    return int(row["vectors"])


def delete_episode(connection: PgConnection, user_id: UserId, episode_id: int) -> None:
    """Empty the row and keep its span, so that no later job makes an episode of the same messages.

    Raises `NotFoundError`, also when it is somebody else's.
    """
    touched = execute(
        connection,
        """
        UPDATE episodic_memory
        SET status = 'deleted', summary = NULL, key_concepts = '{}', embedding = NULL,
            embedding_model = NULL
        WHERE id = %(id)s AND user_id = %(user_id)s AND status = 'completed'
        """,
        id=episode_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such episode.")
