"""Personas: assistants that a user writes, with instructions, a model and a use of memory."""

from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    # A deleted persona leaves its conversations, which the site's agent goes on with.
    op.execute("""
        CREATE TABLE personas (
            persona_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id       text NOT NULL REFERENCES users ON DELETE CASCADE,
            name          text NOT NULL,
            instructions  text NOT NULL,
            model         text,
            mode          text NOT NULL CHECK (mode IN ('active', 'passive', 'off')),
            created_at    timestamptz NOT NULL DEFAULT now(),
            UNIQUE (persona_id, user_id),
            UNIQUE (user_id, name)
        )
    """)
    op.execute("ALTER TABLE personas ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE personas FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON personas TO throughline_upkeep USING (true)")
    op.execute("""
        CREATE POLICY own_rows ON personas
        USING (user_id = current_setting('throughline.user_id', true))
    """)
    op.execute("""
        ALTER TABLE conversations
            ADD COLUMN persona_id bigint,
            ADD CONSTRAINT conversations_persona_id_owned
                FOREIGN KEY (persona_id, user_id) REFERENCES personas (persona_id, user_id)
                ON DELETE SET NULL (persona_id)
    """)
    op.execute("""
        CREATE INDEX conversations_by_persona ON conversations (persona_id)
        WHERE persona_id IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN persona_id")
    op.execute("DROP TABLE personas")
