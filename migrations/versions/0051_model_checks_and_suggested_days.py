"""How well a model tells doubtful notes from true ones, and until when a suggestion holds."""

from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    # Right answers in the probe. NULL: it was not asked, or its place has changed since.
    op.execute("ALTER TABLE site_models ADD COLUMN verification_right smallint")
    # As in structured_facts.
    op.execute("ALTER TABLE fact_suggestions ADD COLUMN valid_until date")


def downgrade() -> None:
    op.execute("ALTER TABLE fact_suggestions DROP COLUMN valid_until")
    op.execute("ALTER TABLE site_models DROP COLUMN verification_right")
