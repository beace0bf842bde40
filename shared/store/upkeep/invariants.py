"""Invariants of the tables, each as a query for the rows that break it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

from shared.db import PgConnection, fetch_rows

LIMIT = 20  # the largest number of rows that are reported for each invariant


@dataclass(frozen=True, kw_only=True)
class Breach:
    """One row that breaks an invariant."""

    invariant: str
    where: str


# Each query returns `place`, a text that says which row.
ALWAYS: dict[str, LiteralString] = {
    "sequence numbers have no holes": """
        SELECT c.conversation_id || ': ' || count(m.sequence_number) || ' messages up to '
               || max(m.sequence_number) AS place
        FROM conversations c JOIN messages m USING (conversation_id)
        GROUP BY c.conversation_id
        HAVING count(*) <> max(m.sequence_number) + 1
    """,
    "a conversation ends with its last closed reply": """
        SELECT c.conversation_id || ': last_sequence ' || c.last_sequence AS place
        FROM conversations c
        LEFT JOIN LATERAL (
            SELECT max(sequence_number) AS closed FROM messages m
            WHERE m.conversation_id = c.conversation_id AND m.role = 'assistant'
              AND m.status <> 'streaming') replies ON true
        WHERE c.last_sequence <> coalesce(replies.closed, -1)
          AND NOT EXISTS (SELECT 1 FROM messages m
                          WHERE m.conversation_id = c.conversation_id
                            AND m.status = 'streaming')
    """,
    "user messages are even, replies odd": """
        SELECT conversation_id || '/' || sequence_number AS place FROM messages
        WHERE (role = 'user') <> (sequence_number %% 2 = 0)
    """,
    "a variant that is not chosen is kept beside the reply that is": """
        SELECT v.conversation_id || '/' || v.sequence_number || ': variant ' || v.variant AS place
        FROM reply_variants v JOIN messages m USING (conversation_id, sequence_number)
        WHERE m.role <> 'assistant' OR m.variant = v.variant OR m.user_id <> v.user_id
           OR m.deleted_at IS NOT NULL
    """,
    "a branch begins after the conversation that it branched from does": """
        SELECT b.conversation_id || ': at ' || b.branched_at AS place
        FROM conversations b JOIN conversations c ON c.conversation_id = b.branched_from
        WHERE c.branched_from IS NOT NULL AND b.branched_at <= c.branched_at
           OR b.user_id <> c.user_id OR b.branched_at > b.last_sequence + 1
    """,
    "a branch is of the chat that it branched from, with its title and mode": """
        SELECT b.conversation_id::text AS place
        FROM conversations b LEFT JOIN conversations c ON c.conversation_id = b.branched_from
        WHERE b.chat_id <> coalesce(c.chat_id, b.conversation_id)
           OR c.chat_id IS NOT NULL AND (b.title IS DISTINCT FROM c.title OR b.mode <> c.mode)
    """,
    "copies are the shared messages of a branch, and have no vector": """
        SELECT m.conversation_id || '/' || m.sequence_number AS place
        FROM messages m JOIN conversations c USING (conversation_id)
        WHERE m.is_copy <> (c.branched_from IS NOT NULL AND m.sequence_number < c.branched_at)
           OR m.is_copy AND EXISTS (
               SELECT FROM message_embeddings e
               WHERE e.conversation_id = m.conversation_id
                 AND e.sequence_number = m.sequence_number)
    """,
    "at most one job of a kind is processing": """
        SELECT kind || ' of ' || conversation_id AS place FROM jobs WHERE status = 'processing'
        GROUP BY kind, conversation_id HAVING count(*) > 1
    """,
    "a summary begins no later than where its base ends, or with its window": """
        SELECT m.conversation_id || ': memory ' || m.memory_id AS place
        FROM memory m JOIN memory base ON base.memory_id = m.base_memory_id
        WHERE m.status = 'completed'
          AND (m.end_sequence <= base.end_sequence OR m.start_sequence < base.start_sequence)
    """,
    "a message off the record, or withheld, has no vector": """
        SELECT e.conversation_id || '/' || e.sequence_number AS place
        FROM message_embeddings e JOIN conversations c USING (conversation_id)
        JOIN messages m USING (conversation_id, sequence_number)
        WHERE c.mode = 'off' OR m.withheld_at IS NOT NULL
    """,
    "passages are of files that a message has, which is no copy": """
        SELECT p.attachment_id || ': passage ' || p.number AS place
        FROM file_passages p JOIN attachments a USING (attachment_id)
        LEFT JOIN messages m USING (conversation_id, sequence_number)
        WHERE m.conversation_id IS NULL OR m.is_copy OR m.deleted_at IS NOT NULL
           OR p.user_id <> m.user_id
    """,
    "a passage off the record has no vector": """
        SELECT p.attachment_id || ': passage ' || p.number AS place
        FROM file_passages p JOIN attachments a USING (attachment_id)
        JOIN conversations c USING (conversation_id)
        WHERE p.is_off_record <> (c.mode = 'off')
           OR p.is_off_record AND p.embedding_model IS NOT NULL
    """,
    "a message is its conversation's user's": """
        SELECT m.conversation_id || '/' || m.sequence_number AS place
        FROM messages m JOIN conversations c USING (conversation_id)
        WHERE m.user_id <> c.user_id
    """,
    "no two summaries cover the same messages": """
        SELECT conversation_id || ': ' || count(*) || ' up to ' || end_sequence AS place
        FROM memory WHERE status = 'completed'
        GROUP BY conversation_id, end_sequence HAVING count(*) > 1
    """,
    "episodes never overlap": """
        SELECT conversation_id || ': episode ' || id || ' begins at ' || turn_start AS place
        FROM (SELECT conversation_id, id, turn_start, lag(turn_end, 1, -1) OVER (
                  PARTITION BY conversation_id ORDER BY turn_start) AS previous_end
              FROM episodic_memory WHERE status IN ('completed', 'deleted')) AS closed
        WHERE turn_start <= previous_end
    """,
    "facts were read without a hole": """
        SELECT conversation_id || ': extraction ' || id || ' begins at ' || start_sequence AS place
        FROM (SELECT conversation_id, id, start_sequence, lag(end_sequence, 1, -1) OVER (
                  PARTITION BY conversation_id ORDER BY start_sequence) AS previous_end
              FROM fact_extractions WHERE status = 'completed') AS read
        WHERE start_sequence > previous_end + 2
    """,
    "one active fact a slot": """
        SELECT user_id || ': ' || category || '/' || key AS place FROM structured_facts
        WHERE is_active GROUP BY user_id, category, key, project HAVING count(*) > 1
    """,
    "a fact is active until it is superseded or closed": """
        SELECT user_id || ': fact ' || id AS place FROM structured_facts
        WHERE is_active AND (valid_to IS NOT NULL OR superseded_by IS NOT NULL)
    """,
    "no job is stuck past its lease": """
        SELECT kind || ' ' || id AS place FROM (
            SELECT kind, job_id AS id, lease_until FROM jobs WHERE status = 'processing'
            UNION ALL
            SELECT 'reply of ' || conversation_id, sequence_number, lease_until FROM messages
            WHERE status = 'streaming'
        ) AS leased
        WHERE lease_until < now() - make_interval(secs => %(stuck_after_s)s)
    """,
}

# These hold once nobody has said anything for a while and all jobs are done.
WHEN_QUIET: dict[str, LiteralString] = {
    "no job is waiting or running": """
        SELECT conversation_id::text AS place FROM jobs WHERE status = 'processing'
    """,
    "summaries have caught up": """
        SELECT c.conversation_id || ': ' || coalesce(newest.covered, -1) || ' of '
               || c.last_sequence AS place
        FROM conversations c
        JOIN messages reply ON reply.conversation_id = c.conversation_id
             AND reply.sequence_number = c.last_sequence
        LEFT JOIN LATERAL (SELECT max(end_sequence) AS covered FROM memory m
                           WHERE m.conversation_id = c.conversation_id
                             AND m.status = 'completed') newest ON true
        WHERE c.mode <> 'off' AND reply.status IN ('complete', 'partial')
          AND c.last_sequence >= %(summarize_after)s
          AND coalesce(newest.covered, -1) < c.last_sequence
    """,
    "episodes leave no hole": """
        SELECT conversation_id || ': episode ' || id || ' begins at ' || turn_start AS place
        FROM (SELECT conversation_id, id, turn_start, lag(turn_end, 1, -1) OVER (
                  PARTITION BY conversation_id ORDER BY turn_start) AS previous_end
              FROM episodic_memory WHERE status IN ('completed', 'deleted')) AS closed
        WHERE turn_start > previous_end + 1
    """,
    "episodes have caught up": """
        SELECT c.conversation_id || ': ' || coalesce(newest.covered, -1) || ' of '
               || c.last_sequence AS place
        FROM conversations c
        LEFT JOIN LATERAL (SELECT max(turn_end) AS covered FROM episodic_memory e
                           WHERE e.conversation_id = c.conversation_id
                             AND e.status IN ('completed', 'deleted')) newest ON true
        WHERE c.mode <> 'off'
          AND c.last_sequence - coalesce(newest.covered, -1) >= %(pending)s
    """,
    "facts have caught up": """
        SELECT c.conversation_id || ': ' || coalesce(newest.covered, -1) || ' of '
               || c.last_sequence AS place
        FROM conversations c
        LEFT JOIN LATERAL (SELECT max(end_sequence) AS covered FROM fact_extractions f
                           WHERE f.conversation_id = c.conversation_id
                             AND f.status = 'completed') newest ON true
        WHERE c.mode <> 'off' AND c.last_sequence >= 0
          AND coalesce(newest.covered, -1) < c.last_sequence - c.last_sequence %% 2
    """,
    "conversations have a title, or could be given none": """
        SELECT c.conversation_id::text AS place
        FROM conversations c
        JOIN messages reply ON reply.conversation_id = c.conversation_id
             AND reply.sequence_number = c.last_sequence
        WHERE c.title IS NULL AND c.mode <> 'off' AND reply.status IN ('complete', 'partial')
          AND NOT EXISTS (SELECT 1 FROM titles
                          WHERE titles.conversation_id = c.conversation_id
                            AND titles.status = 'completed')
    """,
    "episodes are embedded": """
        SELECT id::text AS place FROM episodic_memory
        WHERE status = 'completed' AND embedding IS NULL
    """,
    "messages are embedded": """
        SELECT conversation_id || '/' || sequence_number AS place FROM unembedded_messages
    """,
    "files are cut into passages": """
        SELECT attachment_id::text AS place FROM uncut_files
    """,
    "passages are embedded": """
        SELECT attachment_id || ': passage ' || number AS place FROM file_passages
        WHERE embedding_model IS NULL AND NOT is_off_record
    """,
}


def list_breaches(
    connection: PgConnection, invariants: dict[str, LiteralString], **limits: float
) -> list[Breach]:
    """The breaches of each invariant, at most `LIMIT` of each."""
    return [
        Breach(invariant=name, where=row["place"])
        for name, sql in invariants.items()
        for row in fetch_rows(connection, sql, **limits)[:LIMIT]
    ]
