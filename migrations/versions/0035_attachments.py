"""Attachments: files that a user message has. Their bytes and texts are rows of their own."""

from alembic import op

revision = "0035"
down_revision = "0034"

TABLES = ("attachments", "attachment_contents")


def upgrade() -> None:
    # Without a message it was uploaded and not sent yet; the sweep removes it after a day.
    # `text_byte_count` is of the text that was read from it, which may be far larger.
    op.execute("""
        CREATE TABLE attachments (
            attachment_id   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            user_id         text NOT NULL REFERENCES users ON DELETE CASCADE,
            conversation_id uuid,
            sequence_number integer,
            position        smallint NOT NULL DEFAULT 0,
            name            text NOT NULL CHECK (name <> ''),
            kind            text NOT NULL CHECK (kind IN ('text', 'pdf', 'image')),
            media_type      text NOT NULL,
            byte_count      integer NOT NULL CHECK (byte_count > 0),
            text_byte_count integer NOT NULL DEFAULT 0,
            width           integer,
            height          integer,
            created_at      timestamptz NOT NULL DEFAULT now(),
            CHECK ((conversation_id IS NULL) = (sequence_number IS NULL)),
            CONSTRAINT attachments_owned UNIQUE (attachment_id, user_id),
            FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages ON DELETE CASCADE,
            CONSTRAINT attachments_conversation_id_owned
                FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
        )
    """)
    op.execute("""
        CREATE TABLE attachment_contents (
            attachment_id uuid PRIMARY KEY,
            user_id       text NOT NULL,
            content       bytea NOT NULL,
            text          text,
            CONSTRAINT attachment_contents_attachment_id_owned
                FOREIGN KEY (attachment_id, user_id)
                REFERENCES attachments (attachment_id, user_id) ON DELETE CASCADE
        )
    """)
    # Pictures and PDFs are compressed already, and a reader takes the whole value.
    op.execute("ALTER TABLE attachment_contents ALTER COLUMN content SET STORAGE EXTERNAL")
    op.execute("CREATE INDEX attachments_by_user ON attachments (user_id)")
    op.execute("""
        CREATE INDEX attachments_by_message ON attachments (conversation_id, sequence_number)
        WHERE conversation_id IS NOT NULL
    """)
    op.execute("""
        CREATE INDEX attachments_unsent ON attachments (created_at) WHERE conversation_id IS NULL
    """)
    op.execute("CREATE INDEX attachment_contents_by_user ON attachment_contents (user_id)")
    for table in TABLES:
        _secure(table)


def downgrade() -> None:
    op.execute("DROP TABLE attachment_contents")
    op.execute("DROP TABLE attachments")


def _secure(table: str) -> None:
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY upkeep ON {table} TO throughline_upkeep USING (true)")
    op.execute(f"""
        CREATE POLICY own_rows ON {table}
        USING (user_id = current_setting('throughline.user_id', true))
    """)
