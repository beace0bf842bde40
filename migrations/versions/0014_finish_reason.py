"""The reason why a reply ended, which tells a truncated reply from a finished one.

Null in older replies, in imports without a reason, and while a reply is being written.
"""

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.execute("""
        ALTER TABLE messages ADD COLUMN finish_reason text
            CHECK (finish_reason IN ('stop', 'length', 'content_filter', 'cancelled', 'error'))
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE messages DROP COLUMN finish_reason")
