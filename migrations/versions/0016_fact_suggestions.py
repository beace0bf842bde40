"""Facts that wait for the user to confirm them; which messages of a conversation were imported."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    # `value` is null once the user has dismissed it. The fingerprint keeps it from coming back.
    op.execute("""
        CREATE TABLE fact_suggestions (
            id                      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id                 text NOT NULL REFERENCES users ON DELETE CASCADE,
            category                text NOT NULL CHECK (category IN
                                    ('identity', 'preference', 'constraint', 'instruction')),
            key                     text NOT NULL,
            value                   text,
            fingerprint             text NOT NULL,
            confidence              real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
            importance              real NOT NULL CHECK (importance BETWEEN 0 AND 1),
            source_conversation_id  uuid REFERENCES conversations ON DELETE CASCADE,
            source_sequence         integer,
            said_at                 timestamptz NOT NULL,
            created_at              timestamptz NOT NULL DEFAULT now(),
            UNIQUE (user_id, category, key, fingerprint)
        )
    """)
    op.execute("""
        CREATE UNIQUE INDEX fact_suggestions_one_open
        ON fact_suggestions (user_id, category, key) WHERE value IS NOT NULL
    """)
    op.execute("""
        CREATE INDEX fact_suggestions_sources ON fact_suggestions (source_conversation_id)
        WHERE source_conversation_id IS NOT NULL
    """)
    # The number of the last imported message. Null: none was imported. In older imports, messages
    # that were said later cannot be told from imported ones, so all count as imported.
    op.execute("ALTER TABLE conversations ADD COLUMN imported_until integer")
    op.execute("""
        UPDATE conversations SET imported_until = last_sequence WHERE source_key IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE conversations DROP COLUMN imported_until")
    op.execute("DROP TABLE fact_suggestions")
