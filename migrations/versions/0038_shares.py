"""Links by which anybody may read a chat, as far as it went when the link was made."""

from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    # Of the link itself only a hash is kept. What it shows is read from the messages each time.
    op.execute("""
        CREATE TABLE shares (
            share_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id         text NOT NULL,
            conversation_id uuid NOT NULL,
            token_hash      bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
            until_sequence  integer NOT NULL CHECK (until_sequence >= 0),
            created_at      timestamptz NOT NULL DEFAULT now(),
            expires_at      timestamptz,
            CONSTRAINT shares_conversation_id_owned
                FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX shares_by_user ON shares (user_id, share_id)")
    op.execute("CREATE INDEX shares_by_conversation ON shares (conversation_id)")
    _secure()
    _add_look_up()


def downgrade() -> None:
    op.execute("DROP FUNCTION find_share")
    op.execute("DROP TABLE shares")


def _secure() -> None:
    op.execute("ALTER TABLE shares ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE shares FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON shares TO throughline_upkeep USING (true)")
    op.execute("""
        CREATE POLICY own_rows ON shares
        USING (user_id = current_setting('throughline.user_id', true))
    """)


def _add_look_up() -> None:
    """It runs with its owner's rights, since a link names nobody."""
    op.execute("""
        CREATE FUNCTION find_share(hash bytea)
        RETURNS TABLE (user_id text, conversation_id uuid, until_sequence integer,
                       created_at timestamptz)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
        AS $$
            SELECT s.user_id, s.conversation_id, s.until_sequence, s.created_at FROM shares s
            WHERE s.token_hash = hash AND (s.expires_at IS NULL OR s.expires_at > now())
              AND NOT EXISTS (SELECT 1 FROM accounts a
                              WHERE a.account_id = s.user_id AND a.disabled_at IS NOT NULL)
        $$
    """)
