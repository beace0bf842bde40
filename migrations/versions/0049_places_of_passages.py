"""Passages of files name the page, slide or sheet at which they stand."""

from alembic import op

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    # Null for files without places, and for passages that were cut before.
    op.execute("ALTER TABLE file_passages ADD COLUMN place text CHECK (place <> '')")
    op.execute("ALTER TABLE file_passages ALTER COLUMN place SET STATISTICS 0")


def downgrade() -> None:
    op.execute("ALTER TABLE file_passages DROP COLUMN place")
