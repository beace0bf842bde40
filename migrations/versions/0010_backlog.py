"""Jobs of imported or old messages wait behind those of live conversations."""

from alembic import op

revision = "0010"
down_revision = "0009"

TABLES = ("memory", "episodic_memory", "fact_extractions", "titles")


def upgrade() -> None:
    # In the row, because the sweep needs it when it sends the job again.
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN in_backlog boolean NOT NULL DEFAULT false")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN in_backlog")
