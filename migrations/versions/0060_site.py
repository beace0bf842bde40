"""Which site a database is, and when it was last served."""

from alembic import op

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    # One row. `pulse` is written with each sweep, here and in the site's Redis; `place` is where
    # the process runs that wrote it.
    op.execute("""
        CREATE TABLE site (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            site_id uuid NOT NULL DEFAULT gen_random_uuid(),
            pulse   double precision NOT NULL DEFAULT 0,
            place   text NOT NULL DEFAULT ''
        )
    """)
    for column in ("site_id", "pulse", "place"):
        op.execute(f"ALTER TABLE site ALTER COLUMN {column} SET STATISTICS 0")


def downgrade() -> None:
    op.execute("DROP TABLE site")
