"""Full-text search of episodes. They are written first and embedded later."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    # array_to_string is not marked immutable, but it is for text.
    op.execute("""
        CREATE FUNCTION join_words(words text[]) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN array_to_string(words, ' ')
    """)
    op.execute("""
        ALTER TABLE episodic_memory ADD COLUMN words tsvector GENERATED ALWAYS AS (
            to_tsvector('english', coalesce(summary, '') || ' ' || join_words(key_concepts))
        ) STORED
    """)
    op.execute("CREATE INDEX episodic_memory_words ON episodic_memory USING gin (words)")
    op.execute("""
        CREATE INDEX episodic_memory_unembedded ON episodic_memory (id)
        WHERE status = 'completed' AND embedding IS NULL
    """)


def downgrade() -> None:
    op.execute("DROP INDEX episodic_memory_unembedded, episodic_memory_words")
    op.execute("ALTER TABLE episodic_memory DROP COLUMN words")
    op.execute("DROP FUNCTION join_words")
