"""Tombstones of deleted conversations and messages, for Redis. Messages stay as empty rows."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    # A null sequence number is the whole conversation. `replies`: replies whose text Redis may
    # contain. `told_epoch`: the epoch of the Redis that was given the tombstone. `rewritten_at`:
    # when that Redis was asked to rewrite its append-only file.
    op.execute("""
        CREATE TABLE tombstones (
            tombstone_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            conversation_id  uuid NOT NULL,
            sequence_number  integer,
            fencing_token    bigint NOT NULL DEFAULT nextval('fencing_tokens'),
            replies          integer[] NOT NULL DEFAULT '{}',
            erased_at        timestamptz NOT NULL DEFAULT now(),
            told_epoch       text,
            rewritten_at     timestamptz
        )
    """)
    op.execute("CREATE INDEX tombstones_by_age ON tombstones (erased_at)")
    # A deleted message's row stays, so that sequence numbers have no holes.
    op.execute("""
        ALTER TABLE messages
            ADD COLUMN deleted_at timestamptz,
            ADD CONSTRAINT messages_deleted_are_empty
                CHECK (deleted_at IS NULL OR (content = '' AND trace IS NULL AND error IS NULL
                                              AND name IS NULL AND idempotency_key IS NULL))
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE messages DROP COLUMN deleted_at")
    op.execute("DROP TABLE tombstones")
