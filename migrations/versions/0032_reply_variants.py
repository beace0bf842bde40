"""Variants of replies, and ratings: the chosen variant is in `messages`, the others are here."""

from alembic import op

revision = "0032"
down_revision = "0031"

VALID = "rating IN (-1, 1)"


def upgrade() -> None:
    op.execute(f"""
        ALTER TABLE messages
            ADD COLUMN variant integer NOT NULL DEFAULT 1,
            ADD COLUMN rating smallint,
            ADD CONSTRAINT messages_rating_check
                CHECK (rating IS NULL OR (role = 'assistant' AND {VALID})) NOT VALID
    """)
    # The column was just added: no row can break the rule.
    op.execute("ALTER TABLE messages VALIDATE CONSTRAINT messages_rating_check")
    op.execute("CREATE INDEX messages_rated ON messages (model) WHERE rating IS NOT NULL")
    op.execute(f"""
        CREATE TABLE reply_variants (
            user_id         text NOT NULL,
            conversation_id uuid NOT NULL,
            sequence_number integer NOT NULL,
            variant         integer NOT NULL CHECK (variant > 0),
            content         text NOT NULL CHECK (content <> ''),
            status          text NOT NULL CHECK (status IN ('complete', 'partial', 'failed')),
            finish_reason   text CHECK (finish_reason IN
                                ('stop', 'length', 'content_filter', 'cancelled', 'error')),
            model           text,
            error           text,
            trace           jsonb,
            rating          smallint CHECK ({VALID}),
            created_at      timestamptz NOT NULL,
            PRIMARY KEY (conversation_id, sequence_number, variant),
            FOREIGN KEY (conversation_id, sequence_number) REFERENCES messages ON DELETE CASCADE,
            CONSTRAINT reply_variants_conversation_id_owned
                FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
        )
    """)
    op.execute("CREATE INDEX reply_variants_by_user ON reply_variants (user_id)")
    _secure()
    _count_bytes()


def downgrade() -> None:
    op.execute("DROP TABLE reply_variants")
    op.execute("DROP FUNCTION count_gone_variant_bytes")
    op.execute("ALTER TABLE messages DROP COLUMN variant, DROP COLUMN rating")


def _secure() -> None:
    op.execute("ALTER TABLE reply_variants ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE reply_variants FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON reply_variants TO throughline_upkeep USING (true)")
    op.execute("""
        CREATE POLICY own_rows ON reply_variants
        USING (user_id = current_setting('throughline.user_id', true))
    """)


def _count_bytes() -> None:
    """A quota of storage counts all variants."""
    op.execute("""
        CREATE TRIGGER reply_variants_count_new_bytes AFTER INSERT ON reply_variants
        REFERENCING NEW TABLE AS added_messages
        FOR EACH STATEMENT EXECUTE FUNCTION count_new_message_bytes()
    """)
    op.execute("""
        CREATE FUNCTION count_gone_variant_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE conversations SET message_bytes = message_bytes - gone.bytes
            FROM (SELECT conversation_id, sum(octet_length(content)) AS bytes
                  FROM gone_variants GROUP BY conversation_id) AS gone
            WHERE conversations.conversation_id = gone.conversation_id;
            RETURN NULL;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER reply_variants_count_gone_bytes AFTER DELETE ON reply_variants
        REFERENCING OLD TABLE AS gone_variants
        FOR EACH STATEMENT EXECUTE FUNCTION count_gone_variant_bytes()
    """)
