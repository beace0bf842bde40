"""What a job that gave way to a reply had read, so that it is not begun from nothing."""

from alembic import op

revision = "0056"
down_revision = "0055"

JOBS = ("memory", "episodic_memory", "fact_extractions", "titles", "tidyings")
IN_PARTS = ("memory", "episodic_memory")


def upgrade() -> None:
    for table in JOBS:
        # How often a reply cut off its call of the model: the next call reads less.
        op.execute(f"ALTER TABLE {table} ADD COLUMN cut_count smallint NOT NULL DEFAULT 0")
    for table in IN_PARTS:
        # The model's answers about the first messages, while the job is unfinished.
        op.execute(f"ALTER TABLE {table} ADD COLUMN parts jsonb")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN parts SET STATISTICS 0")


def downgrade() -> None:
    for table in JOBS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN cut_count")
    for table in IN_PARTS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN parts")
