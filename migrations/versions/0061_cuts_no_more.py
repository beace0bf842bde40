"""Parts are as long as the pace of the model allows: how often a job was cut off tells nothing."""

from alembic import op

revision = "0061"
down_revision = "0059"

JOBS = ("memory", "episodic_memory", "fact_extractions", "titles", "tidyings")


def upgrade() -> None:
    for table in JOBS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN cut_count")


def downgrade() -> None:
    for table in JOBS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN cut_count smallint NOT NULL DEFAULT 0")
