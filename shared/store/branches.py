"""Tables `conversations` and `messages`: branches, and the messages that they share.

A branch has copies of the messages before `branched_at`. While the conversation that it branched
from exists, they are marked as copies, and search passes them over.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection, execute, fetch_row, fetch_rows
from shared.models import Branch, ConversationId, UserId
from shared.store.rows import read_conversation_id


def add_branch(connection: PgConnection, parent: ConversationId, sequence: int) -> ConversationId:
    """Add a conversation with copies of all messages of `parent` before `sequence`.

    `sequence` is a user message. A title that a job made of other messages is not copied. The
    caller has locked the user and the parent.
    """
    row = fetch_row(
        connection,
        """
        INSERT INTO conversations (user_id, title, agent, mode, model, persona_id, project,
                                   last_sequence, imported_until, branched_from, branched_at)
        SELECT user_id,
               CASE WHEN NOT EXISTS (
                   SELECT FROM titles made
                   WHERE made.conversation_id = c.conversation_id AND made.status = 'completed'
                     AND made.title = c.title AND made.end_sequence >= %(sequence)s)
               THEN title END, agent, mode, model, persona_id, project, %(sequence)s - 1,
               least(imported_until, %(sequence)s - 1), conversation_id, %(sequence)s
        FROM conversations c WHERE conversation_id = %(parent)s
        RETURNING conversation_id
        """,
        parent=parent,
        sequence=sequence,
    )
    assert row is not None  # noqa: S101 - the parent is locked
    branch = read_conversation_id(row)
    _copy_messages(connection, parent, branch, sequence)
    return branch


def _copy_messages(
    connection: PgConnection, source: ConversationId, target: ConversationId, before: int
) -> None:
    execute(
        connection,
        """
        INSERT INTO messages
            (conversation_id, sequence_number, role, content, status, model, created_at, error,
             trace, user_turn, name, finish_reason, deleted_at, withheld_at,
             is_copy)
        SELECT %(target)s, sequence_number, role, content, status, model, created_at, error,
               trace, user_turn, name, finish_reason, deleted_at, withheld_at, true
        FROM messages
        WHERE conversation_id = %(source)s AND sequence_number < %(before)s
        ORDER BY sequence_number
        """,
        source=source,
        target=target,
        before=before,
    )


def copy_derived(
    connection: PgConnection, source: ConversationId, target: ConversationId, before: int
) -> None:
    """Copy summary and title of messages before `before`, and mark what was read of them.

    Their episodes and facts stay where they are: they are found from every conversation.
    """
    arguments = {"source": source, "target": target, "before": before}
    execute(
        connection,
        """
        INSERT INTO memory (conversation_id, start_sequence, end_sequence, memory_text, points,
                            model, prompt_version, status, lease_until, created_at, finished_at)
        SELECT %(target)s, start_sequence, end_sequence, memory_text, points, model,
               prompt_version, status, now(), created_at, finished_at
        FROM memory
        WHERE conversation_id = %(source)s AND status = 'completed' AND end_sequence < %(before)s
        ORDER BY end_sequence DESC LIMIT 1
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO titles (conversation_id, start_sequence, end_sequence, title, model,
                            prompt_version, status, lease_until, created_at, finished_at)
        SELECT %(target)s, start_sequence, end_sequence, title, model, prompt_version, status,
               now(), created_at, finished_at
        FROM titles
        WHERE conversation_id = %(source)s AND status = 'completed' AND end_sequence < %(before)s
        ORDER BY id DESC LIMIT 1
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO episodic_memory
            (user_id, conversation_id, turn_start, turn_end, status, lease_until, finished_at)
        SELECT user_id, %(target)s, 0, max(turn_end), 'deleted', now(), now()
        FROM episodic_memory
        WHERE conversation_id = %(source)s AND status IN ('completed', 'deleted')
          AND turn_end < %(before)s
        GROUP BY user_id
        """,
        **arguments,
    )
    execute(
        connection,
        """
        INSERT INTO fact_extractions
            (user_id, conversation_id, start_sequence, end_sequence, status, lease_until,
             finished_at)
        SELECT user_id, conversation_id, 0, %(before)s - 2, 'completed', now(), now()
        FROM conversations WHERE conversation_id = %(target)s AND %(before)s > 0
        """,
        **arguments,
    )


def list_family(connection: PgConnection, conversation_id: ConversationId) -> list[Branch]:
    """The conversation with all that share a beginning with it, oldest first."""
    rows = fetch_rows(
        connection,
        """
        WITH RECURSIVE above AS (
            SELECT conversation_id, branched_from FROM conversations
            WHERE conversation_id = %(conversation_id)s
            UNION ALL
            SELECT c.conversation_id, c.branched_from
            FROM above JOIN conversations c ON c.conversation_id = above.branched_from),
        family AS (
            SELECT c.conversation_id, c.branched_from, c.branched_at, c.created_at
            FROM conversations c JOIN above USING (conversation_id)
            WHERE above.branched_from IS NULL
            UNION ALL
            SELECT c.conversation_id, c.branched_from, c.branched_at, c.created_at
            FROM family JOIN conversations c ON c.branched_from = family.conversation_id)
        SELECT * FROM family ORDER BY created_at, conversation_id
        """,
        conversation_id=conversation_id,
    )
    return [
        Branch(
            conversation_id=read_conversation_id(row),
            branched_from=ConversationId(str(row["branched_from"]))
            if row["branched_from"]
            else None,
            branched_at=row["branched_at"] if row["branched_from"] else 0,
        )
        for row in rows
    ]


def hand_over(
    connection: PgConnection, user_id: UserId, gone: Branch, heir: Branch, others: Sequence[Branch]
) -> None:
    """Make `heir` the owner of what it shares with `gone`, which is about to be deleted.

    `others` are the other conversations that branched from `gone`: they branch from `heir` now.
    """
    execute(
        connection,
        """
        UPDATE conversations SET branched_from = %(heir)s
        WHERE conversation_id = ANY(%(others)s::uuid[])
        """,
        heir=heir.conversation_id,
        others=[branch.conversation_id for branch in others],
    )
    execute(
        connection,
        """
        UPDATE conversations SET branched_from = %(parent)s, branched_at = %(at)s
        WHERE conversation_id = %(heir)s
        """,
        heir=heir.conversation_id,
        parent=gone.branched_from,
        at=gone.branched_at if gone.branched_from else None,
    )
    parameters = {
        "user_id": user_id,
        "gone": gone.conversation_id,
        "heir": heir.conversation_id,
        "first": gone.branched_at,
        "before": heir.branched_at,
    }
    execute(
        connection,
        """
        UPDATE messages SET is_copy = false
        WHERE conversation_id = %(heir)s AND is_copy
          AND sequence_number >= %(first)s AND sequence_number < %(before)s
        """,
        **parameters,
    )
    _hand_over_facts(connection, parameters)
    _hand_over_episodes(connection, parameters)


def _hand_over_facts(connection: PgConnection, parameters: dict[str, object]) -> None:
    """So that they go with the message that taught them."""
    execute(
        connection,
        """
        UPDATE structured_facts SET source_conversation_id = %(heir)s
        WHERE user_id = %(user_id)s AND source_conversation_id = %(gone)s
          AND source_sequence < %(before)s
        """,
        **parameters,
    )
    execute(
        connection,
        """
        UPDATE fact_suggestions SET source_conversation_id = %(heir)s
        WHERE user_id = %(user_id)s AND source_conversation_id = %(gone)s
          AND source_sequence < %(before)s
        """,
        **parameters,
    )


def _hand_over_episodes(connection: PgConnection, parameters: dict[str, object]) -> None:
    """In place of the mark, which no worker has begun. Those that the heir has made itself stay."""
    execute(
        connection,
        """
        DELETE FROM episodic_memory
        WHERE conversation_id = %(heir)s AND status = 'deleted' AND fencing_token IS NULL
        """,
        **parameters,
    )
    execute(
        connection,
        """
        UPDATE episodic_memory SET conversation_id = %(heir)s
        WHERE conversation_id = %(gone)s AND status IN ('completed', 'deleted')
          AND turn_end < least(%(before)s, coalesce(
              (SELECT min(turn_start) FROM episodic_memory
               WHERE conversation_id = %(heir)s AND status <> 'failed'), %(before)s))
        """,
        **parameters,
    )
