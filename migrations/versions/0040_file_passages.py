"""Passages of files: the pieces in which the text of a file is searched and recalled."""

from alembic import op

revision = "0040"
down_revision = "0039"

TABLES = ("file_passages", "uncut_files")


def upgrade() -> None:
    # In the order in which rounds write them. The triggers and the key below need these locks, in
    # the other order.
    op.execute("LOCK TABLE messages, attachments IN SHARE ROW EXCLUSIVE MODE")
    # Those off the record are found by the words of a search, and never get a vector.
    op.execute("""
        CREATE TABLE file_passages (
            passage_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            attachment_id   uuid NOT NULL,
            number          integer NOT NULL CHECK (number >= 0),
            user_id         text NOT NULL,
            text            text NOT NULL CHECK (text <> ''),
            is_off_record   boolean NOT NULL,
            words           tsvector GENERATED ALWAYS AS (
                array_to_tsvector(ARRAY[owner_word(user_id)]) || said_words(text)) STORED,
            embedding       halfvec(384),
            token_signs     bytea,
            embedding_model text,
            CONSTRAINT file_passages_numbered UNIQUE (attachment_id, number),
            CHECK ((embedding IS NULL) = (embedding_model IS NULL)),
            CONSTRAINT file_passages_attachment_id_owned
                FOREIGN KEY (attachment_id, user_id)
                REFERENCES attachments (attachment_id, user_id) ON DELETE CASCADE
        )
    """)
    # As with messages: the signs, of some 10 kB, stay outside the rows, and are read as they are.
    op.execute("ALTER TABLE file_passages ALTER COLUMN token_signs SET STORAGE EXTERNAL")
    op.execute("""
        CREATE TABLE uncut_files (
            attachment_id uuid PRIMARY KEY,
            user_id       text NOT NULL,
            ticket        bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
            CONSTRAINT uncut_files_attachment_id_owned
                FOREIGN KEY (attachment_id, user_id)
                REFERENCES attachments (attachment_id, user_id) ON DELETE CASCADE
        )
    """)
    _index()
    for table in TABLES:
        _secure(table)
    _add_search()
    _add_triggers()
    op.execute("""
        INSERT INTO uncut_files (attachment_id, user_id)
        SELECT attachment_id, attachments.user_id
        FROM attachments JOIN messages USING (conversation_id, sequence_number)
        WHERE text_byte_count > 0 AND NOT is_copy
        ORDER BY attachments.created_at
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER messages_own_files ON messages")
    op.execute("DROP TRIGGER attachments_uncut ON attachments")
    op.execute("DROP FUNCTION list_own_files, list_for_cutting, own_passages_containing")
    op.execute("DROP TABLE uncut_files, file_passages")


def _index() -> None:
    op.execute("CREATE INDEX file_passages_by_user ON file_passages (user_id)")
    op.execute("CREATE INDEX uncut_files_by_user ON uncut_files (user_id)")
    op.execute("""
        CREATE INDEX file_passages_words ON file_passages USING gin (words)
        WITH (fastupdate = off)
    """)
    op.execute("""
        CREATE INDEX file_passages_nearest
        ON file_passages USING hnsw (embedding halfvec_cosine_ops)
    """)
    op.execute("""
        CREATE INDEX file_passages_unembedded ON file_passages (passage_id)
        WHERE embedding_model IS NULL AND NOT is_off_record
    """)
    op.execute("CREATE INDEX file_passages_by_model ON file_passages (embedding_model, passage_id)")


def _secure(table: str) -> None:
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY upkeep ON {table} TO throughline_upkeep USING (true)")
    op.execute(f"""
        CREATE POLICY own_rows ON {table}
        USING (user_id = current_setting('throughline.user_id', true))
    """)


def _add_search() -> None:
    """Search like `own_messages_containing`: the policy would keep it from the index of words."""
    op.execute("""
        CREATE FUNCTION own_passages_containing(asked tsquery, most bigint)
        RETURNS TABLE (passage_id bigint, length integer)
        LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
        SET search_path = pg_catalog, public, pg_temp AS $$
            SELECT p.passage_id, pg_catalog.length(p.words)
            FROM file_passages p
            WHERE p.words @@ (quote_literal(owner_word(
                      current_setting('throughline.user_id', true)))::tsquery && asked)
              AND p.user_id = current_setting('throughline.user_id', true)
            LIMIT most
        $$
    """)


def _add_triggers() -> None:
    """List a file when a message takes it. The files of a branch's copies are not listed."""
    op.execute("""
        CREATE FUNCTION list_for_cutting() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT NEW.attachment_id, NEW.user_id FROM messages
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND NOT is_copy
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$
    """)
    op.execute("""
        CREATE TRIGGER attachments_uncut AFTER INSERT OR UPDATE OF conversation_id ON attachments
        FOR EACH ROW WHEN (NEW.conversation_id IS NOT NULL AND NEW.text_byte_count > 0)
        EXECUTE FUNCTION list_for_cutting()
    """)
    # A branch comes to own what it had copies of when the conversation above it is deleted.
    op.execute("""
        CREATE FUNCTION list_own_files() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO uncut_files (attachment_id, user_id)
                SELECT attachment_id, user_id FROM attachments
                WHERE conversation_id = NEW.conversation_id
                  AND sequence_number = NEW.sequence_number AND text_byte_count > 0
                ON CONFLICT (attachment_id) DO NOTHING;
                RETURN NULL;
            END $$
    """)
    op.execute("""
        CREATE TRIGGER messages_own_files AFTER UPDATE OF is_copy ON messages
        FOR EACH ROW WHEN (OLD.is_copy AND NOT NEW.is_copy)
        EXECUTE FUNCTION list_own_files()
    """)
