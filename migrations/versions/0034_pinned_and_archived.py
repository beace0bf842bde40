"""Conversations can be pinned to the top of the list, and archived out of it."""

from alembic import op

revision = "0034"
down_revision = "0033"

FLAGS = ("pinned", "archived")


def upgrade() -> None:
    op.execute("""
        ALTER TABLE conversations
            ADD COLUMN is_pinned boolean NOT NULL DEFAULT false,
            ADD COLUMN is_archived boolean NOT NULL DEFAULT false
    """)
    # Both are few of many. The rest is listed by `conversations_by_user`.
    for flag in FLAGS:
        op.execute(f"""
            CREATE INDEX conversations_{flag}
            ON conversations (user_id, updated_at DESC, conversation_id DESC) WHERE is_{flag}
        """)


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN is_pinned, DROP COLUMN is_archived")
