"""When a model was last asked to tidy a user's facts: at most once a day."""

from alembic import op

revision = "0055"
down_revision = "0053"


def upgrade() -> None:
    # NULL: never.
    op.execute("ALTER TABLE users ADD COLUMN facts_grouped_at timestamptz")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP COLUMN facts_grouped_at")
