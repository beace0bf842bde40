"""How well the models that the environment names tell doubtful notes from true ones."""

from alembic import op

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    # A row for each model and place that memory has had. `server` is a digest of LLM_API_BASE, for
    # that may contain a password. `verification_right` as in site_models; NULL: no answer yet.
    op.execute("""
        CREATE TABLE environment_models (
            name               text NOT NULL,
            server             text NOT NULL,
            begun_at           timestamptz NOT NULL DEFAULT now(),
            verification_right smallint,
            PRIMARY KEY (name, server)
        )
    """)
    for column in ("name", "server"):
        op.execute(f"ALTER TABLE environment_models ALTER COLUMN {column} SET STATISTICS 0")


def downgrade() -> None:
    op.execute("DROP TABLE environment_models")
