"""Branches: conversations that begin with copies of another one's messages."""

from alembic import op

revision = "0033"
down_revision = "0032"

LIST_FOR_EMBEDDING = """
    CREATE TRIGGER messages_{event}_unembedded AFTER {when} ON messages
    FOR EACH ROW WHEN (NEW.status <> 'streaming' AND NEW.content <> ''{original})
    EXECUTE FUNCTION list_for_embedding()
"""
EVENTS = (("insert", "INSERT"), ("update", "UPDATE OF content, status{more}"))
# As in revision 0031, but for copies.
CONTAINING = """
    CREATE OR REPLACE FUNCTION own_messages_containing(
        asked tsquery, until timestamptz, most bigint)
    RETURNS TABLE (conversation_id uuid, sequence_number integer, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT m.conversation_id, m.sequence_number, pg_catalog.length(m.words)
        FROM messages m
        WHERE m.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND m.user_id = current_setting('throughline.user_id', true)
          AND (until IS NULL OR m.created_at <= until){original}
        LIMIT most
    $$
"""


def upgrade() -> None:
    # `branched_at` is the first message that is not shared. It outlives the other conversation:
    # then nobody else has the messages before it.
    op.execute("""
        ALTER TABLE conversations
            ADD COLUMN branched_from uuid,
            ADD COLUMN branched_at integer CHECK (branched_at >= 0 AND branched_at % 2 = 0),
            ADD CONSTRAINT conversations_branch_is_whole
                CHECK (branched_from IS NULL OR branched_at IS NOT NULL),
            ADD CONSTRAINT conversations_branched_from_owned
                FOREIGN KEY (branched_from, user_id)
                REFERENCES conversations (conversation_id, user_id)
                ON DELETE SET NULL (branched_from)
    """)
    op.execute("""
        CREATE INDEX conversations_branches ON conversations (branched_from)
        WHERE branched_from IS NOT NULL
    """)
    op.execute("ALTER TABLE messages ADD COLUMN is_copy boolean NOT NULL DEFAULT false")
    _make_functions(original=" AND NOT m.is_copy")
    _make_triggers(original=" AND NOT NEW.is_copy", more=", is_copy")


def downgrade() -> None:
    """Copies become messages like any other. They get their vectors by `reembed`."""
    _make_functions(original="")
    _make_triggers(original="", more="")
    op.execute("ALTER TABLE messages DROP COLUMN is_copy")
    op.execute("ALTER TABLE conversations DROP COLUMN branched_from, DROP COLUMN branched_at")


def _make_functions(original: str) -> None:
    op.execute(CONTAINING.format(original=original))


def _make_triggers(original: str, more: str) -> None:
    for event, when in EVENTS:
        op.execute(f"DROP TRIGGER messages_{event}_unembedded ON messages")
        op.execute(
            LIST_FOR_EMBEDDING.format(event=event, when=when.format(more=more), original=original)
        )
