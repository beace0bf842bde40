"""The audit log: who did what to whose data. It has ids and no text, and outlives its users."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    # `user_id`: whose data it was. `actor_id`: who did it; null: the site itself.
    op.execute("""
        CREATE TABLE audit_events (
            event_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at           timestamptz NOT NULL DEFAULT now(),
            user_id      text NOT NULL,
            actor_id     text,
            action       text NOT NULL,
            object_kind  text,
            object_id    text,
            token_id     bigint,
            request_id   text,
            address      text
        )
    """)
    op.execute("CREATE INDEX audit_events_by_user ON audit_events (user_id, event_id)")
    op.execute("CREATE INDEX audit_events_by_actor ON audit_events (actor_id, event_id)")
    op.execute("CREATE INDEX audit_events_by_age ON audit_events (at)")


def downgrade() -> None:
    op.execute("DROP TABLE audit_events")
