"""Users, conversations and messages."""

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    # One sequence for all fencing tokens: a later attempt always has a larger token.
    op.execute("CREATE SEQUENCE fencing_tokens AS bigint")
    op.execute("""
        CREATE TABLE users (
            user_id     text PRIMARY KEY,
            created_at  timestamptz NOT NULL DEFAULT now(),
            turn_count  bigint NOT NULL DEFAULT 0
        )
    """)
    op.execute("""
        CREATE TABLE conversations (
            conversation_id  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            user_id          text NOT NULL REFERENCES users ON DELETE CASCADE,
            title            text,
            agent            text NOT NULL,
            mode             text NOT NULL CHECK (mode IN ('active', 'passive', 'off')),
            last_sequence    integer NOT NULL DEFAULT -1,
            created_at       timestamptz NOT NULL DEFAULT now(),
            updated_at       timestamptz NOT NULL DEFAULT now()
        )
    """)
    op.execute("""
        CREATE INDEX conversations_by_user
        ON conversations (user_id, updated_at DESC, conversation_id DESC)
    """)
    op.execute("CREATE INDEX conversations_by_activity ON conversations (updated_at)")
    op.execute("""
        CREATE TABLE messages (
            conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            sequence_number  integer NOT NULL CHECK (sequence_number >= 0),
            role             text NOT NULL CHECK (role IN ('user', 'assistant')),
            content          text NOT NULL,
            status           text NOT NULL
                             CHECK (status IN ('streaming', 'complete', 'partial', 'failed')),
            model            text,
            created_at       timestamptz NOT NULL DEFAULT now(),
            error            text,
            trace            jsonb,
            fencing_token    bigint,
            lease_until      timestamptz,
            PRIMARY KEY (conversation_id, sequence_number),
            CHECK ((role = 'user') = (sequence_number % 2 = 0)),
            CHECK (role = 'assistant' OR status = 'complete')
        )
    """)
    op.execute("""
        CREATE UNIQUE INDEX messages_one_open_round
        ON messages (conversation_id) WHERE status = 'streaming'
    """)
    op.execute("""
        CREATE INDEX messages_open_leases
        ON messages (lease_until) WHERE status = 'streaming'
    """)


def downgrade() -> None:
    op.execute("DROP TABLE messages, conversations, users")
    op.execute("DROP SEQUENCE fencing_tokens")
