"""The time zone of a user, by its IANA name such as Europe/Lisbon. Null: not known, UTC is used."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute("ALTER TABLE users ADD COLUMN time_zone text")


def downgrade() -> None:
    op.execute("ALTER TABLE users DROP COLUMN time_zone")
