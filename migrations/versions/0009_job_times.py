"""When a job was begun; finished jobs and sent keys by their age, for counts and for retention."""

from alembic import op

revision = "0009"
down_revision = "0008"

JOB_TABLES = ("memory", "episodic_memory", "fact_extractions", "titles")


def upgrade() -> None:
    for table in JOB_TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN begun_at timestamptz")
        op.execute(f"CREATE INDEX {table}_finished ON {table} (finished_at)")
    op.execute("""
        CREATE INDEX messages_keyed ON messages (created_at) WHERE idempotency_key IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("DROP INDEX messages_keyed")
    for table in JOB_TABLES:
        op.execute(f"DROP INDEX {table}_finished")
        op.execute(f"ALTER TABLE {table} DROP COLUMN begun_at")
