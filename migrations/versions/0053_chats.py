"""One chat for a conversation and its branches: all of them have the same `chat_id`."""

from alembic import op

revision = "0053"
down_revision = "0052"

# What people set of a chat holds for all its branches: those of the newest one.
SET_ALIKE = """
    UPDATE conversations c
    SET title = newest.title, mode = newest.mode, model = newest.model,
        persona_id = newest.persona_id, project = newest.project, is_pinned = newest.is_pinned,
        is_archived = newest.is_archived
    FROM (SELECT DISTINCT ON (chat_id) * FROM conversations
          WHERE chat_id IN (SELECT chat_id FROM conversations WHERE branched_from IS NOT NULL)
          ORDER BY chat_id, updated_at DESC, conversation_id DESC) AS newest
    WHERE c.chat_id = newest.chat_id AND c.conversation_id <> newest.conversation_id
"""


def upgrade() -> None:
    op.execute("ALTER TABLE conversations ADD COLUMN chat_id uuid")
    op.execute("ALTER TABLE conversations NO FORCE ROW LEVEL SECURITY")  # all users' rows
    op.execute("""
        WITH RECURSIVE tree AS (
            SELECT conversation_id, conversation_id AS chat_id
            FROM conversations WHERE branched_from IS NULL
            UNION ALL
            SELECT branch.conversation_id, tree.chat_id
            FROM tree JOIN conversations branch ON branch.branched_from = tree.conversation_id)
        UPDATE conversations c SET chat_id = tree.chat_id
        FROM tree WHERE tree.conversation_id = c.conversation_id
    """)
    op.execute(SET_ALIKE)
    op.execute("ALTER TABLE conversations FORCE ROW LEVEL SECURITY")
    # The first conversation of a chat gives it its id, and is deleted only with the others.
    op.execute("""
        ALTER TABLE conversations
            ALTER COLUMN chat_id SET NOT NULL,
            ADD CONSTRAINT conversations_chat_id_owned
                FOREIGN KEY (chat_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
    """)
    op.execute("""
        CREATE INDEX conversations_of_chat
        ON conversations (chat_id, updated_at DESC, conversation_id DESC)
    """)
    op.execute("""
        CREATE FUNCTION choose_chat() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.chat_id := coalesce(
                (SELECT chat_id FROM conversations WHERE conversation_id = NEW.branched_from),
                NEW.conversation_id);
            RETURN NEW;
        END
        $$
    """)
    op.execute("""
        CREATE TRIGGER conversations_choose_chat BEFORE INSERT ON conversations
        FOR EACH ROW WHEN (NEW.chat_id IS NULL) EXECUTE FUNCTION choose_chat()
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER conversations_choose_chat ON conversations")
    op.execute("DROP FUNCTION choose_chat()")
    op.execute("ALTER TABLE conversations DROP COLUMN chat_id")
