"""Replies that can be named by the id of OpenAI's Responses API."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    # `request`: the fields that the API repeats in each answer, without any message.
    op.execute("""
        CREATE TABLE responses (
            response_id      text PRIMARY KEY,
            user_id          text NOT NULL REFERENCES users ON DELETE CASCADE,
            conversation_id  uuid NOT NULL,
            sequence_number  integer NOT NULL,
            request          jsonb NOT NULL,
            created_at       timestamptz NOT NULL DEFAULT now(),
            FOREIGN KEY (conversation_id, sequence_number)
                REFERENCES messages (conversation_id, sequence_number) ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX responses_by_message ON responses (conversation_id, sequence_number)")
    op.execute("CREATE INDEX responses_by_user ON responses (user_id)")


def downgrade() -> None:
    op.execute("DROP TABLE responses")
