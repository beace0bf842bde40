"""Why the writing of a reply ended: to tell a reply that the model cut from a finished one.

Null in older replies, in imports that do not tell, and while a reply is being written.
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
