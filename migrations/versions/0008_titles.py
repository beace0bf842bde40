"""Titles that background jobs make for conversations."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    # `title` is the job's title, to tell it from the user's own. Null in a completed row: the
    # model found none, and the conversation has no title.
    op.execute("""
        CREATE TABLE titles (
            id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            start_sequence   integer NOT NULL,
            end_sequence     integer NOT NULL,
            title            text,
            model            text,
            prompt_version   text,
            status           text NOT NULL
                             CHECK (status IN ('processing', 'completed', 'failed')),
            attempts         integer NOT NULL DEFAULT 0,
            dispatch_count   integer NOT NULL DEFAULT 1,
            fencing_token    bigint,
            lease_until      timestamptz NOT NULL,
            error            text,
            created_at       timestamptz NOT NULL DEFAULT now(),
            finished_at      timestamptz,
            CHECK (0 <= start_sequence AND start_sequence <= end_sequence)
        )
    """)
    op.execute("CREATE INDEX titles_by_conversation ON titles (conversation_id, status)")
    op.execute("""
        CREATE UNIQUE INDEX titles_one_processing
        ON titles (conversation_id) WHERE status = 'processing'
    """)
    op.execute("CREATE INDEX titles_leases ON titles (lease_until) WHERE status = 'processing'")


def downgrade() -> None:
    op.execute("DROP TABLE titles")
