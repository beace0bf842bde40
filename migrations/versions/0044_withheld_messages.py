"""Messages can be withheld: nothing that is in one is recalled, found or derived any more."""

from alembic import op

revision = "0044"
down_revision = "0043"

OWN_MESSAGES_CONTAINING = """
    CREATE OR REPLACE FUNCTION own_messages_containing(
        asked tsquery, until timestamptz, most bigint)
    RETURNS TABLE (conversation_id uuid, sequence_number integer, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT m.conversation_id, m.sequence_number, pg_catalog.length(m.words)
        FROM messages m
        WHERE m.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND m.user_id = current_setting('throughline.user_id', true)
          AND (until IS NULL OR m.created_at <= until) AND NOT m.is_copy{condition}
        LIMIT most
    $$
"""
CREATE_TRIGGERS = """
    CREATE TRIGGER messages_insert_unembedded AFTER INSERT ON messages
    FOR EACH ROW WHEN (NEW.status <> 'streaming' AND NEW.content <> '' AND NOT NEW.is_copy
                       {condition})
    EXECUTE FUNCTION list_for_embedding();
    CREATE TRIGGER messages_update_unembedded
    AFTER UPDATE OF content, status, is_copy{column} ON messages
    FOR EACH ROW WHEN (NEW.status <> 'streaming' AND NEW.content <> '' AND NOT NEW.is_copy
                       {condition})
    EXECUTE FUNCTION list_for_embedding()
"""


def upgrade() -> None:
    op.execute("ALTER TABLE messages ADD COLUMN withheld_at timestamptz")
    op.execute("""
        CREATE INDEX messages_withheld ON messages (user_id, withheld_at)
        WHERE withheld_at IS NOT NULL
    """)
    op.execute(OWN_MESSAGES_CONTAINING.format(condition=" AND m.withheld_at IS NULL"))
    _replace_triggers("AND NEW.withheld_at IS NULL", ", withheld_at")


def downgrade() -> None:
    op.execute(OWN_MESSAGES_CONTAINING.format(condition=""))
    _replace_triggers("", "")
    op.execute("ALTER TABLE messages DROP COLUMN withheld_at")


def _replace_triggers(condition: str, column: str) -> None:
    op.execute("DROP TRIGGER messages_insert_unembedded ON messages")
    op.execute("DROP TRIGGER messages_update_unembedded ON messages")
    op.execute(CREATE_TRIGGERS.format(condition=condition, column=column))
