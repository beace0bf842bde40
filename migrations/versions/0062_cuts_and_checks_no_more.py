"""Take away what only the version before needs: counted cuts of jobs, and checks of models."""

from alembic import op

revision = "0062"
down_revision = "0061"

PHASE = "after"
JOBS = ("memory", "episodic_memory", "fact_extractions", "titles", "tidyings")


def upgrade() -> None:
    for table in JOBS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN cut_count")
    op.execute("ALTER TABLE site_models DROP COLUMN verification_right")
    op.execute("DROP TABLE environment_models")


def downgrade() -> None:
    for table in JOBS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN cut_count smallint NOT NULL DEFAULT 0")
    op.execute("ALTER TABLE site_models ADD COLUMN verification_right smallint")
    op.execute("""
        CREATE TABLE environment_models (
            name               text NOT NULL,
            server             text NOT NULL,
            begun_at           timestamptz NOT NULL DEFAULT now(),
            verification_right smallint,
            PRIMARY KEY (name, server)
        )
    """)
    for column in ("name", "server"):
        op.execute(f"ALTER TABLE environment_models ALTER COLUMN {column} SET STATISTICS 0")
