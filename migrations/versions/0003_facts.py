"""Facts: when they were confirmed, which were forgotten; numbers of turns; token usage."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    # The message's number among all of its user's messages. Facts age by it, not by job times.
    op.execute("ALTER TABLE messages ADD COLUMN user_turn bigint")
    op.execute("""
        UPDATE messages SET user_turn = counted.user_turn
        FROM (SELECT m.conversation_id, m.sequence_number,
                     row_number() OVER (PARTITION BY c.user_id ORDER BY m.created_at) AS user_turn
              FROM messages m JOIN conversations c USING (conversation_id)
              WHERE m.role = 'user') AS counted
        WHERE messages.conversation_id = counted.conversation_id
          AND messages.sequence_number = counted.sequence_number
    """)
    # Null: not said again since valid_from.
    op.execute("ALTER TABLE structured_facts ADD COLUMN confirmed_at timestamptz")
    op.execute("""
        CREATE INDEX structured_facts_successors
        ON structured_facts (superseded_by) WHERE superseded_by IS NOT NULL
    """)
    op.execute("""
        CREATE INDEX structured_facts_sources
        ON structured_facts (source_conversation_id) WHERE source_conversation_id IS NOT NULL
    """)
    op.execute("""
        CREATE TABLE forgotten_facts (
            user_id       text NOT NULL REFERENCES users ON DELETE CASCADE,
            category      text NOT NULL,
            key           text NOT NULL,
            fingerprint   text NOT NULL,
            said_until    timestamptz NOT NULL,
            forgotten_at  timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (user_id, category, key, fingerprint)
        )
    """)
    op.execute("""
        CREATE TABLE token_usage (
            conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            purpose          text NOT NULL,
            model            text NOT NULL,
            calls            bigint NOT NULL,
            tokens_in        bigint NOT NULL,
            tokens_out       bigint NOT NULL,
            PRIMARY KEY (conversation_id, purpose, model)
        )
    """)


def downgrade() -> None:
    op.execute("DROP TABLE token_usage, forgotten_facts")
    op.execute("DROP INDEX structured_facts_sources, structured_facts_successors")
    op.execute("ALTER TABLE structured_facts DROP COLUMN confirmed_at")
    op.execute("ALTER TABLE messages DROP COLUMN user_turn")
