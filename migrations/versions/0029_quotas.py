"""What each user has used today, and the bytes of each conversation's messages, for quotas."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    # `day` is a day in UTC. Without a reference to `users`: whoever deletes everything gets no
    # new quota by it. Rows of former days are deleted.
    op.execute("""
        CREATE TABLE usage_days (
            user_id   text NOT NULL,
            day       date NOT NULL DEFAULT current_date,
            rounds    integer NOT NULL DEFAULT 0,
            searches  integer NOT NULL DEFAULT 0,
            tokens    bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (user_id, day)
        )
    """)
    op.execute("CREATE INDEX usage_days_by_day ON usage_days (day)")
    op.execute("ALTER TABLE conversations ADD COLUMN message_bytes bigint NOT NULL DEFAULT 0")
    op.execute("""
        UPDATE conversations SET message_bytes = said.bytes
        FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
              FROM messages GROUP BY conversation_id) AS said
        WHERE conversations.conversation_id = said.conversation_id
    """)
    _count_messages()


def _count_messages() -> None:
    """Whoever writes messages has locked their conversation, so the triggers wait for nobody.

    Messages are deleted with their conversation only, so no trigger counts that.
    """
    op.execute("""
        CREATE FUNCTION count_new_message_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes + added.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM added_messages GROUP BY conversation_id) AS added
            WHERE conversations.conversation_id = added.conversation_id AND added.bytes > 0;
            RETURN NULL;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER messages_count_new_bytes AFTER INSERT ON messages
        REFERENCING NEW TABLE AS added_messages
        FOR EACH STATEMENT EXECUTE FUNCTION count_new_message_bytes()
    """)
    op.execute("""
        CREATE FUNCTION count_changed_message_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes
                + octet_length(NEW.content) - octet_length(OLD.content)
            WHERE conversation_id = NEW.conversation_id;
            RETURN NULL;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER messages_count_changed_bytes AFTER UPDATE OF content ON messages
        FOR EACH ROW WHEN (octet_length(OLD.content) <> octet_length(NEW.content))
        EXECUTE FUNCTION count_changed_message_bytes()
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER messages_count_changed_bytes ON messages")
    op.execute("DROP TRIGGER messages_count_new_bytes ON messages")
    op.execute("DROP FUNCTION count_changed_message_bytes")
    op.execute("DROP FUNCTION count_new_message_bytes")
    op.execute("ALTER TABLE conversations DROP COLUMN message_bytes")
    op.execute("DROP TABLE usage_days")
