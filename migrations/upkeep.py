"""The rights of upkeep: the role in which work across all users is done.

The application's role can switch to it for a transaction (`Database.upkeep`), and has none of its
rights otherwise. It finds rows by state and time, renews and ends leases, and deletes what is old.
It cannot read what was said or remembered: no message, summary, episode, fact or vector.
"""

from __future__ import annotations

from contextlib import closing

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type

from shared.models.job_kinds import DERIVATIONS, Derivation

ROLE = "throughline_upkeep"
LOCK_KEY = 7_262_817_047  # several starts at once take turns, also when they grant other roles

_JOB = (
    "conversation_id, user_id, status, attempts, dispatch_count, fencing_token, lease_until,"
    " error, created_at, finished_at, begun_at, in_backlog"
)
_CONVERSATION = (
    "conversation_id, user_id, chat_id, mode, last_sequence, updated_at, branched_from, branched_at"
)
_MESSAGE = (
    "conversation_id, sequence_number, user_id, role, status, created_at, fencing_token,"
    " lease_until, idempotency_key, model, rating, variant,"
    " deleted_at, is_copy, withheld_at, unread_by"
)
_LEASE = "status, finished_at, fencing_token, error, dispatch_count, lease_until"

#: What upkeep also reads of the rows of some jobs.
_MORE_OF_JOBS = {
    "memory": ", base_memory_id, model, prompt_version",
    # `embedding`: to find those that have none
    "episodic_memory": ", embedding, embedding_model, model, prompt_version",
    "fact_extractions": ", model, prompt_version",
    "titles": ", model, prompt_version",
}


def _list_rights_of(job: Derivation) -> tuple[str, ...]:
    columns = f"{job.id_column}, {job.start_column}, {job.end_column}, {_JOB}"
    parts = ", parts" if job.has_parts else ""
    return (
        f"SELECT ({columns}{_MORE_OF_JOBS.get(job.table, '')})",
        # `start_column`: to let one cover the messages of those that are deleted
        f"UPDATE ({job.start_column}, {_LEASE}{parts})",
        "DELETE",
    )


#: By table. A right to UPDATE, of any column, is also needed to lock a row before its deletion.
RIGHTS: dict[str, tuple[str, ...]] = {
    "conversations": (
        # `title`: to find those that have none
        f"SELECT ({_CONVERSATION}, title)",
    ),
    "messages": (
        f"SELECT ({_MESSAGE})",
        "UPDATE (lease_until, idempotency_user, idempotency_key)",
    ),
    "reply_variants": ("SELECT (conversation_id, sequence_number, user_id, variant)",),
    # of files that were never sent; `sequence_number`: to check whose passages there are
    "attachments": (
        "SELECT (attachment_id, user_id, conversation_id, sequence_number, created_at)",
        "UPDATE (position)",
        "DELETE",
    ),
    "message_embeddings": ("SELECT (conversation_id, sequence_number, user_id, embedding_model)",),
    "unembedded_messages": ("SELECT", "INSERT", "UPDATE (ticket)"),
    "uncut_files": ("SELECT",),
    "unfolded_conversations": ("SELECT",),
    "file_passages": (
        "SELECT (passage_id, attachment_id, number, user_id, is_off_record, embedding_model)",
    ),
    **{job.table: _list_rights_of(job) for job in DERIVATIONS.values()},
    "structured_facts": (
        "SELECT (id, user_id, category, key, project, is_active, valid_to, superseded_by)",
    ),
    "api_tokens": (
        "SELECT (token_id, expires_at, revoked_at)",
        "UPDATE (last_used_at)",
        "DELETE",
    ),
    "shares": ("SELECT (share_id, expires_at)", "UPDATE (expires_at)", "DELETE"),
    "oauth_grants": ("SELECT (grant_id, expires_at)", "UPDATE (expires_at)", "DELETE"),
    "kept_answers": ("SELECT (user_id, key_hash, created_at)", "UPDATE (held_until)", "DELETE"),
    "usage_days": ("SELECT", "UPDATE (searches)", "DELETE"),
    "audit_events": ("SELECT", "UPDATE (at)", "DELETE"),
    "webhooks": ("SELECT (webhook_id, user_id, event_types, disabled_at)",),
    "webhook_deliveries": ("INSERT",),
    # `user_id`: an event's id is greater than those of the user's before
    "events": (
        "SELECT (event_id, user_id, occurred_at)",
        "INSERT",
        "UPDATE (occurred_at)",
        "DELETE",
    ),
    "imports": ("SELECT (import_id, finished_at)", "UPDATE (touched_at)", "DELETE"),
    # `value`: to find those that nobody has answered
    "fact_suggestions": ("SELECT (id, created_at, value)", "UPDATE (created_at)", "DELETE"),
    "tombstones": ("SELECT", "UPDATE (told_epoch, rewritten_at)", "DELETE"),
    "jobs": ("SELECT",),
    "backups": ("SELECT", "INSERT", "UPDATE"),
    "site": ("SELECT", "INSERT", "UPDATE"),
}


def grant_upkeep(owner_url: str) -> None:
    """Give the role its rights and no others. The owner has the role, so that it sees all rows."""
    with closing(psycopg2.connect(owner_url, connect_timeout=5)) as connection, connection:
        grant_upkeep_within(connection.cursor())


def grant_upkeep_within(cursor: Cursor) -> None:
    """`grant_upkeep`, in the caller's transaction."""
    role = sql.Identifier(ROLE)
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_KEY,))
    cursor.execute(
        sql.SQL("""
            REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role};
            GRANT USAGE ON SCHEMA public TO {role};
            GRANT {role} TO CURRENT_USER
        """).format(role=role)
    )
    cursor.execute(sql.SQL("GRANT EXECUTE ON FUNCTION new_id() TO {}").format(role))
    for table, rights in RIGHTS.items():
        for right in rights:
            statement = sql.SQL("GRANT {right} ON {table} TO {role}")
            cursor.execute(
                statement.format(right=sql.SQL(right), table=sql.Identifier(table), role=role)
            )
