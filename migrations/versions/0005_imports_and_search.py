"""Imports; full-text search of messages; deleted episodes; indexes that make deletion fast."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("""
        CREATE TABLE imports (
            import_id    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            user_id      text NOT NULL REFERENCES users ON DELETE CASCADE,
            status       text NOT NULL DEFAULT 'running'
                         CHECK (status IN ('running', 'done', 'failed')),
            imported     integer NOT NULL DEFAULT 0,
            skipped      integer NOT NULL DEFAULT 0,
            failed       integer NOT NULL DEFAULT 0,
            messages     integer NOT NULL DEFAULT 0,
            left_out     jsonb NOT NULL DEFAULT '{}',
            notes        jsonb NOT NULL DEFAULT '[]',
            error        text,
            created_at   timestamptz NOT NULL DEFAULT now(),
            touched_at   timestamptz NOT NULL DEFAULT now(),
            finished_at  timestamptz
        )
    """)
    op.execute("CREATE INDEX imports_by_user ON imports (user_id, created_at DESC)")
    op.execute("""
        ALTER TABLE conversations
            ADD COLUMN import_id uuid REFERENCES imports ON DELETE SET NULL,
            ADD COLUMN source_key text
    """)
    op.execute("""
        CREATE INDEX conversations_by_import
        ON conversations (import_id) WHERE import_id IS NOT NULL
    """)
    op.execute("""
        CREATE UNIQUE INDEX conversations_imported_once
        ON conversations (user_id, source_key) WHERE source_key IS NOT NULL
    """)
    # A tsvector has at most one megabyte. The words of a long message may need more.
    op.execute("""
        ALTER TABLE messages ADD COLUMN words tsvector GENERATED ALWAYS AS (
            to_tsvector('english', left(content, 100000))
        ) STORED
    """)
    op.execute("CREATE INDEX messages_words ON messages USING gin (words)")
    # A deleted episode keeps its span, so that no new episode is made of the same messages.
    op.execute("""
        ALTER TABLE episodic_memory
            DROP CONSTRAINT episodic_memory_status_check,
            ADD CONSTRAINT episodic_memory_status_check
                CHECK (status IN ('processing', 'completed', 'failed', 'deleted'))
    """)
    # Deleting a row looks up every foreign key that refers to it.
    op.execute("CREATE INDEX memory_bases ON memory (base_memory_id)")
    op.execute("CREATE INDEX fact_extractions_by_user ON fact_extractions (user_id)")


def downgrade() -> None:
    op.execute("DROP INDEX fact_extractions_by_user, memory_bases, messages_words")
    op.execute("""
        UPDATE episodic_memory SET status = 'completed', summary = '' WHERE status = 'deleted'
    """)
    op.execute("""
        ALTER TABLE episodic_memory
            DROP CONSTRAINT episodic_memory_status_check,
            ADD CONSTRAINT episodic_memory_status_check
                CHECK (status IN ('processing', 'completed', 'failed'))
    """)
    op.execute("ALTER TABLE messages DROP COLUMN words")
    op.execute("ALTER TABLE conversations DROP COLUMN source_key, DROP COLUMN import_id")
    op.execute("DROP TABLE imports")
