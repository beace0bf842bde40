"""Search of single messages: their owner, their speaker, their words and their vectors."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    _add_owner_and_speaker()
    _add_vectors()


def _add_owner_and_speaker() -> None:
    op.execute("ALTER TABLE messages ADD COLUMN user_id text, ADD COLUMN name text")
    op.execute("""
        UPDATE messages SET user_id = conversations.user_id
        FROM conversations WHERE conversations.conversation_id = messages.conversation_id
    """)
    op.execute("ALTER TABLE messages ALTER COLUMN user_id SET NOT NULL")
    # A trigger sets the owner, so that no writer can forget it or get it wrong.
    op.execute("""
        CREATE FUNCTION set_message_owner() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            SELECT user_id INTO NEW.user_id
            FROM conversations WHERE conversation_id = NEW.conversation_id;
            RETURN NEW;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER messages_owner BEFORE INSERT ON messages
        FOR EACH ROW EXECUTE FUNCTION set_message_owner()
    """)
    # The owner is indexed as one more word of each message. It contains a colon, as no word of a
    # text does. So one look-up finds one user's messages with a word, however many others said it.
    op.execute("""
        CREATE FUNCTION owner_word(user_id text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN 'u:' || left(md5(user_id), 16)
    """)
    op.execute("ALTER TABLE messages DROP COLUMN words")
    op.execute("""
        ALTER TABLE messages ADD COLUMN words tsvector GENERATED ALWAYS AS (
            array_to_tsvector(ARRAY[owner_word(user_id)])
            || to_tsvector('english', left(content, 100000))
        ) STORED
    """)
    op.execute("CREATE INDEX messages_words ON messages USING gin (words)")
    op.execute("""
        CREATE INDEX messages_names ON messages (user_id, name, role) WHERE name IS NOT NULL
    """)


def _add_vectors() -> None:
    op.execute("""
        CREATE TABLE message_embeddings (
            user_id          text NOT NULL,
            conversation_id  uuid NOT NULL,
            sequence_number  integer NOT NULL,
            embedding        halfvec(384) NOT NULL,
            embedding_model  text NOT NULL,
            PRIMARY KEY (conversation_id, sequence_number),
            FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX message_embeddings_by_user ON message_embeddings (user_id)")
    op.execute("""
        CREATE INDEX message_embeddings_by_model
        ON message_embeddings (embedding_model, conversation_id, sequence_number)
    """)
    op.execute("""
        CREATE INDEX message_embeddings_nearest
        ON message_embeddings USING hnsw (embedding halfvec_cosine_ops)
    """)
    # Messages that wait for a vector. A changed text gets a new, larger ticket. Storing the vector
    # of the older text then does not remove the entry.
    op.execute("""
        CREATE TABLE unembedded_messages (
            ticket           bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
            conversation_id  uuid NOT NULL,
            sequence_number  integer NOT NULL,
            PRIMARY KEY (conversation_id, sequence_number),
            FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages ON DELETE CASCADE
        )
    """)
    op.execute("""
        CREATE FUNCTION list_for_embedding() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO unembedded_messages (conversation_id, sequence_number)
            SELECT NEW.conversation_id, NEW.sequence_number FROM conversations
            WHERE conversation_id = NEW.conversation_id AND mode <> 'off'
            ON CONFLICT (conversation_id, sequence_number) DO UPDATE SET ticket = DEFAULT;
            RETURN NULL;
        END $$
    """)
    for event in ("INSERT", "UPDATE OF content, status"):
        name = event.split()[0].lower()
        op.execute(f"""
            CREATE TRIGGER messages_{name}_unembedded AFTER {event} ON messages
            FOR EACH ROW WHEN (NEW.status <> 'streaming' AND NEW.content <> '')
            EXECUTE FUNCTION list_for_embedding()
        """)
    op.execute("""
        INSERT INTO unembedded_messages (conversation_id, sequence_number)
        SELECT conversation_id, sequence_number
        FROM messages JOIN conversations USING (conversation_id)
        WHERE status <> 'streaming' AND content <> '' AND mode <> 'off'
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER messages_insert_unembedded ON messages")
    op.execute("DROP TRIGGER messages_update_unembedded ON messages")
    op.execute("DROP TRIGGER messages_owner ON messages")
    op.execute("DROP FUNCTION list_for_embedding, set_message_owner")
    op.execute("DROP TABLE unembedded_messages, message_embeddings")
    op.execute("ALTER TABLE messages DROP COLUMN words")
    op.execute("DROP FUNCTION owner_word")
    op.execute("""
        ALTER TABLE messages DROP COLUMN name, DROP COLUMN user_id,
        ADD COLUMN words tsvector GENERATED ALWAYS AS (
            to_tsvector('english', left(content, 100000))
        ) STORED
    """)
    op.execute("CREATE INDEX messages_words ON messages USING gin (words)")
