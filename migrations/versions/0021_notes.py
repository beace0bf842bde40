"""A conversation that holds a user's notes: what other programs were asked to remember."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.execute("ALTER TABLE conversations ADD COLUMN is_notes boolean NOT NULL DEFAULT false")
    op.execute(
        "CREATE UNIQUE INDEX conversations_of_notes ON conversations (user_id) WHERE is_notes"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN is_notes")
