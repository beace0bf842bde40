"""Prompts: texts that a user keeps, to put into messages."""

from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE prompts (
            prompt_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id     text NOT NULL REFERENCES users ON DELETE CASCADE,
            name        text NOT NULL,
            text        text NOT NULL,
            created_at  timestamptz NOT NULL DEFAULT now(),
            UNIQUE (user_id, name)
        )
    """)
    op.execute("ALTER TABLE prompts ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE prompts FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON prompts TO throughline_upkeep USING (true)")
    op.execute("""
        CREATE POLICY own_rows ON prompts
        USING (user_id = current_setting('throughline.user_id', true))
    """)


def downgrade() -> None:
    op.execute("DROP TABLE prompts")
