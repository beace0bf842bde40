"""Idempotency keys: a message that a client sends twice begins one round."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    # In the message's own row, so that both are deleted together.
    op.execute("""
        ALTER TABLE messages
            ADD COLUMN idempotency_user text,
            ADD COLUMN idempotency_key text,
            ADD CONSTRAINT messages_keyed_by_user
                CHECK ((idempotency_user IS NULL) = (idempotency_key IS NULL))
    """)
    op.execute("""
        CREATE UNIQUE INDEX messages_sent_once
        ON messages (idempotency_user, idempotency_key) WHERE idempotency_key IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE messages DROP COLUMN idempotency_key, DROP COLUMN idempotency_user")
