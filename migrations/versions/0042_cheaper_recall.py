"""Recall reads less: words are counted without their rows, and episodes keep their vectors."""

from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    # As `own_messages_containing`, but rows are neither kept nor read further than needed: copies
    # in branches count, too.
    op.execute("""
        CREATE FUNCTION count_own_messages_containing(asked tsquery, most bigint) RETURNS bigint
        LANGUAGE sql STABLE SECURITY DEFINER
        SET search_path = pg_catalog, public, pg_temp
        AS $$
            SELECT count(*) FROM (
                SELECT FROM messages m
                WHERE m.words @@ (quote_literal(owner_word(
                          current_setting('throughline.user_id', true)))::tsquery && asked)
                  AND m.user_id = current_setting('throughline.user_id', true)
                LIMIT most) AS few
        $$
    """)
    # A search reads the vectors of all episodes of most users, and the texts of three.
    op.execute("ALTER TABLE episodic_memory SET (toast_tuple_target = 4080)")


def downgrade() -> None:
    op.execute("ALTER TABLE episodic_memory RESET (toast_tuple_target)")
    op.execute("DROP FUNCTION count_own_messages_containing")
