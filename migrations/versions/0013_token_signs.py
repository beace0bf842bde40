"""The signs of each message's token vectors, for a closer comparison than by its single vector.

They are stored out of line, so that a search through the vectors does not read them. Embedded
messages are put on the list again. Until then they are compared by their single vector, as before.
"""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.execute("ALTER TABLE message_embeddings ADD COLUMN token_signs bytea")
    # Bits do not compress. In a row above the target the largest value is moved out of line.
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
