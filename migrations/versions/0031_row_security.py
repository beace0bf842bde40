"""Row-level security: a transaction sees the rows of its user alone, and references stay inside.

`docs/decisions/0009-row-security.md` says why it is done in this way.
"""

from alembic import op

revision = "0031"
down_revision = "0030"

#: All tables that a user owns.
OWNED = (
    "users", "api_tokens", "events", "imports", "conversations", "messages", "message_embeddings",
    "unembedded_messages", "memory", "episodic_memory", "fact_extractions", "titles",
    "token_usage", "structured_facts", "fact_suggestions", "forgotten_facts", "audit_events",
    "client_turns", "webhooks", "webhook_deliveries", "responses", "kept_answers", "usage_days",
    "oauth_grants",
)  # fmt: skip
#: Anybody may add rows. Only upkeep sees those of `tombstones`, which name no user.
OPEN_TO_ADDITIONS = ("tombstones", "audit_events")
#: Tables whose rows belong to a conversation, and had no column for its user.
WITHOUT_USER = ("memory", "titles", "token_usage", "unembedded_messages")
#: Tables whose key is referred to together with its user: (table, its key).
KEYS = (
    ("imports", "import_id"), ("conversations", "conversation_id"), ("memory", "memory_id"),
    ("structured_facts", "id"), ("api_tokens", "token_id"),
)  # fmt: skip
CASCADE, SET_NULL = "CASCADE", "SET NULL"
#: References between owned tables: (table, column, target, its key, on deletion).
REFERENCES = (
    ("conversations", "import_id", "imports", "import_id", SET_NULL),
    ("messages", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("memory", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("memory", "base_memory_id", "memory", "memory_id", SET_NULL),
    ("episodic_memory", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("fact_extractions", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("titles", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("token_usage", "conversation_id", "conversations", "conversation_id", CASCADE),
    ("fact_suggestions", "source_conversation_id", "conversations", "conversation_id", CASCADE),
    ("structured_facts", "source_conversation_id", "conversations", "conversation_id", SET_NULL),
    ("structured_facts", "superseded_by", "structured_facts", "id", SET_NULL),
    ("oauth_grants", "token_id", "api_tokens", "token_id", SET_NULL),
)
#: Their reference to the message stays beside the one to the conversation and its user.
OF_MESSAGES = ("message_embeddings", "unembedded_messages", "client_turns", "responses")

LIST_FOR_EMBEDDING = """
    CREATE OR REPLACE FUNCTION list_for_embedding() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO unembedded_messages (conversation_id, sequence_number{column})
            SELECT NEW.conversation_id, NEW.sequence_number{value} FROM conversations
            WHERE conversation_id = NEW.conversation_id AND mode <> 'off'
            ON CONFLICT (conversation_id, sequence_number) DO UPDATE SET ticket = DEFAULT;
            RETURN NULL;
        END $$
"""


def upgrade() -> None:
    _make_upkeep_role()
    _add_users()
    for table, key in KEYS:
        op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {table}_owned UNIQUE ({key}, user_id)")
    for reference in REFERENCES:
        _refer_with_user(*reference)
    for table in OF_MESSAGES:
        _add_reference(table, "conversation_id", "conversations", "conversation_id", CASCADE)
    for table in OWNED:
        _secure(table)
        op.execute(f"""
            CREATE POLICY own_rows ON {table}
            USING (user_id = current_setting('throughline.user_id', true))
        """)
    _secure("tombstones")
    for table in OPEN_TO_ADDITIONS:
        op.execute(f"CREATE POLICY additions ON {table} FOR INSERT WITH CHECK (true)")
    for view in ("jobs", "long_term_memories"):
        op.execute(f"ALTER VIEW {view} SET (security_invoker = true)")
    _add_search()


def downgrade() -> None:
    op.execute("DROP FUNCTION own_messages_containing")
    for view in ("jobs", "long_term_memories"):
        op.execute(f"ALTER VIEW {view} RESET (security_invoker)")
    for table in OPEN_TO_ADDITIONS:
        op.execute(f"DROP POLICY additions ON {table}")
    for table in OWNED:
        op.execute(f"DROP POLICY own_rows ON {table}")
    for table in (*OWNED, "tombstones"):
        op.execute(f"DROP POLICY upkeep ON {table}")
        op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    for table in OF_MESSAGES:
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {table}_conversation_id_owned")
    for table, column, target, key, on_delete in REFERENCES:
        op.execute(f"""
            ALTER TABLE {table}
                DROP CONSTRAINT {table}_{column}_owned,
                ADD CONSTRAINT {table}_{column}_fkey
                    FOREIGN KEY ({column}) REFERENCES {target} ({key}) ON DELETE {on_delete}
        """)
    for table, _ in KEYS:
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {table}_owned")
    _remove_users()


def _make_upkeep_role() -> None:
    """The role may be another database's already. Who creates it may also grant it."""
    op.execute("""
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'throughline_upkeep') THEN
                CREATE ROLE throughline_upkeep NOLOGIN;
            END IF;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL;  -- another migration was quicker
            WHEN insufficient_privilege THEN
                RAISE insufficient_privilege USING MESSAGE =
                    'Create the role first: CREATE ROLE throughline_upkeep NOLOGIN';
        END $$
    """)


def _add_users() -> None:
    op.execute("ALTER FUNCTION set_message_owner() RENAME TO set_owner")
    for table in WITHOUT_USER:
        op.execute(f"ALTER TABLE {table} ADD COLUMN user_id text")
        op.execute(f"""
            UPDATE {table} SET user_id = conversations.user_id
            FROM conversations WHERE conversations.conversation_id = {table}.conversation_id
        """)  # noqa: S608 - names of this file
        op.execute(f"ALTER TABLE {table} ALTER COLUMN user_id SET NOT NULL")
        op.execute(f"""
            CREATE TRIGGER {table}_owner BEFORE INSERT ON {table}
            FOR EACH ROW WHEN (NEW.user_id IS NULL) EXECUTE FUNCTION set_owner()
        """)
    op.execute(LIST_FOR_EMBEDDING.format(column=", user_id", value=", NEW.user_id"))


def _remove_users() -> None:
    op.execute(LIST_FOR_EMBEDDING.format(column="", value=""))
    for table in WITHOUT_USER:
        op.execute(f"DROP TRIGGER {table}_owner ON {table}")
        op.execute(f"ALTER TABLE {table} DROP COLUMN user_id")
    op.execute("ALTER FUNCTION set_owner() RENAME TO set_message_owner")


def _refer_with_user(table: str, column: str, target: str, key: str, on_delete: str) -> None:
    _add_reference(table, column, target, key, on_delete)
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {table}_{column}_fkey")


def _add_reference(table: str, column: str, target: str, key: str, on_delete: str) -> None:
    action = f"{SET_NULL} ({column})" if on_delete == SET_NULL else on_delete
    op.execute(f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_owned
            FOREIGN KEY ({column}, user_id) REFERENCES {target} ({key}, user_id)
            ON DELETE {action}
    """)


def _secure(table: str) -> None:
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY upkeep ON {table} TO throughline_upkeep USING (true)")


def _add_search() -> None:
    # Under a policy the planner uses no index for `@@`, which is not leakproof. This function runs
    # as its owner, whom the policies let see all rows, and asks for the user's rows itself.
    op.execute("""
        CREATE FUNCTION own_messages_containing(asked tsquery, until timestamptz, most bigint)
        RETURNS TABLE (conversation_id uuid, sequence_number integer, length integer)
        LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = pg_catalog, public, pg_temp
        AS $$
            SELECT m.conversation_id, m.sequence_number, pg_catalog.length(m.words)
            FROM messages m
            WHERE m.words @@ (quote_literal(owner_word(
                      current_setting('throughline.user_id', true)))::tsquery && asked)
              AND m.user_id = current_setting('throughline.user_id', true)
              AND (until IS NULL OR m.created_at <= until)
            LIMIT most
        $$
    """)
