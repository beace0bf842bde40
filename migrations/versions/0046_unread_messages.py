"""Messages say which model could not read their facts, and users say what memory is to note."""

from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    op.execute("ALTER TABLE messages ADD COLUMN unread_by text")
    op.execute("ALTER TABLE messages ALTER COLUMN unread_by SET STATISTICS 0")
    op.execute("""
        CREATE INDEX messages_unread ON messages (conversation_id, sequence_number)
        WHERE unread_by IS NOT NULL
    """)
    op.execute("ALTER TABLE users ADD COLUMN memory_instructions text NOT NULL DEFAULT ''")
    op.execute("ALTER TABLE users ALTER COLUMN memory_instructions SET STATISTICS 0")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP COLUMN memory_instructions")
    op.execute("ALTER TABLE messages DROP COLUMN unread_by")
