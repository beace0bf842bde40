"""Where a user is, as an IANA name such as Europe/Lisbon. Null: nobody has said; then it is UTC."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute("ALTER TABLE users ADD COLUMN time_zone text")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP COLUMN time_zone")
