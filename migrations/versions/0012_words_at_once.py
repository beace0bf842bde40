"""Words of messages go into their index at once, not onto a list that each look-up reads as well.

A typing error is looked for with some 500 look-ups, which took seconds beside a full list (4 MB).
A message costs 0.1 ms more to write.
"""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute("ALTER INDEX messages_words SET (fastupdate = off)")
    op.execute("SELECT gin_clean_pending_list('messages_words')")


def downgrade() -> None:
    op.execute("ALTER INDEX messages_words RESET (fastupdate)")
