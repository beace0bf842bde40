"""Conversations can be in a folder: one at most, known by its name alone."""

from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    op.execute("ALTER TABLE conversations ADD COLUMN folder text")
    op.execute("""
        CREATE INDEX conversations_by_folder
        ON conversations (user_id, folder, updated_at DESC, conversation_id DESC)
        WHERE folder IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN folder")
