"""How the writing of a reply ended: a reply that the model cut is not one that was finished.

Null for what was said before this, for imports that do not tell, and while a reply is written.
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
