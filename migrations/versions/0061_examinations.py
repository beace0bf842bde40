"""Whether a model's word about facts is taken: how it did in the examination, and who overrules."""

from alembic import op

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    # NULL: as MEMORY_TRUST says.
    op.execute("""
        ALTER TABLE site_models ADD COLUMN trust text
        CHECK (trust IN ('examined', 'always', 'never'))
    """)
    op.execute("ALTER TABLE site_models ALTER COLUMN trust SET STATISTICS 0")
    # A row for each model and server that memory has had. `server` is a digest of the address,
    # for that may contain a password; empty for a hosted model. The counts grow note by note.
    op.execute("""
        CREATE TABLE examinations (
            model          text NOT NULL,
            server         text NOT NULL,
            prompt_version text NOT NULL,
            begun_at       timestamptz NOT NULL DEFAULT now(),
            asked_count    smallint NOT NULL DEFAULT 0,
            traps          smallint NOT NULL DEFAULT 0,
            believed       smallint NOT NULL DEFAULT 0,
            plain          smallint NOT NULL DEFAULT 0,
            lost           smallint NOT NULL DEFAULT 0,
            is_done        boolean NOT NULL DEFAULT false,
            PRIMARY KEY (model, server)
        )
    """)
    for column in ("model", "server", "prompt_version"):
        op.execute(f"ALTER TABLE examinations ALTER COLUMN {column} SET STATISTICS 0")


def downgrade() -> None:
    op.execute("DROP TABLE examinations")
    op.execute("ALTER TABLE site_models DROP COLUMN trust")
