"""The last backup that was made, and the last one that failed."""

from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    # A row for each outcome, so that it never grows.
    op.execute("""
        CREATE TABLE backups (
            outcome     text PRIMARY KEY CHECK (outcome IN ('made', 'failed')),
            begun_at    timestamptz NOT NULL,
            ended_at    timestamptz NOT NULL DEFAULT now(),
            byte_count  bigint CHECK (byte_count > 0),
            has_secrets boolean,
            reason      text,
            CHECK ((outcome = 'made') = (byte_count IS NOT NULL AND has_secrets IS NOT NULL)),
            CHECK ((outcome = 'failed') = (reason IS NOT NULL))
        )
    """)
    for column in ("outcome", "reason"):
        op.execute(f"ALTER TABLE backups ALTER COLUMN {column} SET STATISTICS 0")
    op.execute("ALTER TABLE backups ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE backups FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON backups TO throughline_upkeep USING (true)")


def downgrade() -> None:
    op.execute("DROP TABLE backups")
