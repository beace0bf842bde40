"""Times at which jobs began; a view of all jobs; indexes to find old jobs and old keys."""

from alembic import op

revision = "0009"
down_revision = "0008"

# Kind, table, id, first message, last message.
JOBS = (
    ("summary", "memory", "memory_id", "start_sequence", "end_sequence"),
    ("episode", "episodic_memory", "id", "turn_start", "turn_end"),
    ("facts", "fact_extractions", "id", "start_sequence", "end_sequence"),
    ("title", "titles", "id", "start_sequence", "end_sequence"),
)


def upgrade() -> None:
    for _, table, *_ in JOBS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN begun_at timestamptz")
        op.execute(f"CREATE INDEX {table}_finished ON {table} (finished_at)")
    # A condition on the view uses the indexes of the tables.
    op.execute("CREATE VIEW jobs AS " + " UNION ALL ".join(_select(*names) for names in JOBS))
    op.execute("""
        CREATE INDEX messages_keyed ON messages (created_at) WHERE idempotency_key IS NOT NULL
    """)


def _select(kind: str, table: str, id_column: str, start: str, end: str) -> str:
    """An episode that the user deleted counts as a completed job."""
    return f"""
        SELECT '{kind}'::text AS kind, {id_column} AS job_id, conversation_id,
               {start} AS start_sequence, {end} AS end_sequence, status,
               CASE WHEN status = 'deleted' THEN 'completed'
                    WHEN status <> 'processing' THEN status
                    WHEN fencing_token IS NULL THEN 'queued'
                    ELSE 'running' END AS state,
               attempts, error, lease_until, created_at, begun_at, finished_at
        FROM {table}
    """  # noqa: S608 - the names above


def downgrade() -> None:
    op.execute("DROP INDEX messages_keyed")
    op.execute("DROP VIEW jobs")
    for _, table, *_ in JOBS:
        op.execute(f"DROP INDEX {table}_finished")
        op.execute(f"ALTER TABLE {table} DROP COLUMN begun_at")
