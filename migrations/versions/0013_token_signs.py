"""Beside each message's vector the signs of its tokens' vectors, for a closer comparison.

Kept out of line: what walks through the vectors does not read them. What is embedded already is
put on the list once more; until it is done it is found by its one vector, as before.
"""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.execute("ALTER TABLE message_embeddings ADD COLUMN token_signs bytea")
    # Bits do not compress. A row over the target has its largest value moved out.
    op.execute("ALTER TABLE message_embeddings ALTER COLUMN token_signs SET STORAGE EXTERNAL")
    op.execute("ALTER TABLE message_embeddings SET (toast_tuple_target = 1024)")
    op.execute("""
        INSERT INTO unembedded_messages (conversation_id, sequence_number)
        SELECT conversation_id, sequence_number FROM message_embeddings
        ON CONFLICT (conversation_id, sequence_number) DO NOTHING
    """)


def downgrade() -> None:
    op.execute("ALTER TABLE message_embeddings RESET (toast_tuple_target)")
    op.execute("ALTER TABLE message_embeddings DROP COLUMN token_signs")
