"""Jobs of what was not said just now wait behind those of live conversations."""

from alembic import op

revision = "0010"
down_revision = "0009"

TABLES = ("memory", "episodic_memory", "fact_extractions", "titles")


def upgrade() -> None:
    # Kept in the row, because whoever sends the job again must know it, too.
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN in_backlog boolean NOT NULL DEFAULT false")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN in_backlog")
