"""Answers to requests with an Idempotency-Key, kept for requests that are sent again."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    # `status` null: the first request is being handled, at most until `held_until`.
    # `body` is encrypted by the request's own key, of which only the hash is here. Null with a
    # status: what the request made has been deleted since.
    op.execute("""
        CREATE TABLE kept_answers (
            user_id       text NOT NULL,
            key_hash      bytea NOT NULL CHECK (octet_length(key_hash) = 32),
            request_hash  bytea,
            status        smallint,
            body          bytea,
            held_until    timestamptz NOT NULL,
            created_at    timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (user_id, key_hash)
        )
    """)
    op.execute("CREATE INDEX kept_answers_by_age ON kept_answers (created_at)")


def downgrade() -> None:
    op.execute("DROP TABLE kept_answers")
