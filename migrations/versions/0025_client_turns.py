"""The messages of OpenAI's clients as they were sent, with hashes by which they are known again."""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    # `digest` is a hash of what the client sent in this place, `chain` one of that and of all
    # that the client had said before. `payload` is null where the text alone says everything.
    op.execute("""
        CREATE TABLE client_turns (
            conversation_id  uuid NOT NULL,
            sequence_number  integer NOT NULL,
            user_id          text NOT NULL,
            digest           text NOT NULL,
            chain            text,
            payload          jsonb,
            PRIMARY KEY (conversation_id, sequence_number),
            FOREIGN KEY (conversation_id, sequence_number)
                REFERENCES messages (conversation_id, sequence_number) ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX client_turns_by_digest ON client_turns (user_id, digest)")
    op.execute("""
        CREATE INDEX client_turns_by_chain ON client_turns (user_id, chain)
        WHERE chain IS NOT NULL
    """)


def downgrade() -> None:
    op.execute("DROP TABLE client_turns")
