"""Models that operators set up on the page, and the model that a conversation has chosen."""

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    # The key is encrypted. Nobody owns the rows: they are the site's.
    op.execute("""
        CREATE TABLE site_models (
            model_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name               text NOT NULL UNIQUE,
            protocol           text NOT NULL CHECK (protocol IN ('openai', 'litellm')),
            address            text,
            served_name        text NOT NULL,
            sealed_key         bytea,
            is_offered         boolean NOT NULL,
            is_chat_default    boolean NOT NULL,
            is_memory_default  boolean NOT NULL,
            context_tokens     integer,
            max_tokens         integer,
            created_at         timestamptz NOT NULL DEFAULT now(),
            changed_at         timestamptz NOT NULL DEFAULT now(),
            CHECK ((protocol = 'openai') = (address IS NOT NULL))
        )
    """)
    for use in ("chat", "memory"):
        op.execute(f"""
            CREATE UNIQUE INDEX site_models_{use}_default ON site_models ((true))
            WHERE is_{use}_default
        """)
    # A name, since a model of the environment can be chosen, too. One that nobody offers any more
    # stays here: the default answers in its place.
    op.execute("ALTER TABLE conversations ADD COLUMN model text")


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN model")
    op.execute("DROP TABLE site_models")
