"""The outbox: what happened in a user's memory, written in the transaction of the change."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    # `data` has ids and numbers only. Texts are read when an event is sent, so that none outlives
    # the row that it belongs to.
    op.execute("""
        CREATE TABLE events (
            event_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id      text NOT NULL REFERENCES users ON DELETE CASCADE,
            type         text NOT NULL,
            data         jsonb NOT NULL,
            occurred_at  timestamptz NOT NULL DEFAULT now(),
            UNIQUE (user_id, event_id)
        )
    """)
    op.execute("CREATE INDEX events_by_age ON events (occurred_at)")


def downgrade() -> None:
    op.execute("DROP TABLE events")
