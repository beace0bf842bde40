"""Remove the text of failed jobs, also of jobs that were discarded when their messages changed."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.execute("UPDATE memory SET memory_text = NULL, points = NULL WHERE status = 'failed'")
    op.execute("""
        UPDATE episodic_memory
        SET summary = NULL, key_concepts = '{}', embedding = NULL, embedding_model = NULL
        WHERE status = 'failed'
    """)
    op.execute("UPDATE titles SET title = NULL WHERE status = 'failed'")


def downgrade() -> None:
    """The texts cannot be brought back."""
