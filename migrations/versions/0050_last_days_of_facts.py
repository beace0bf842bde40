"""Facts that hold until a day, by the words of their message."""

from alembic import op

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    # By the user's clock. NULL: no day was named.
    op.execute("ALTER TABLE structured_facts ADD COLUMN valid_until date")


def downgrade() -> None:
    op.execute("ALTER TABLE structured_facts DROP COLUMN valid_until")
