"""The oldest schema that can be upgraded. New databases are made by `schema.sql`."""

from alembic.util import CommandError

revision = "0058"
down_revision = None


def upgrade() -> None:
    """Nothing is left to do: `env.py` has made the schema."""


def downgrade() -> None:
    raise CommandError(f"There is no schema before {revision}.")
