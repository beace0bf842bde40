"""What was deleted stays deleted: marks without text for who still holds some; emptied messages."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    # A null sequence number: the whole conversation. `replies`: whose texts Redis may hold.
    # `told_epoch`: which Redis knows of it; `rewritten_at`: when that was asked to write its
    # append-only file anew.
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
    # The row stays, so that sequence numbers have no holes.
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
