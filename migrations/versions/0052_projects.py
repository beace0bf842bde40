"""Folders become projects: a row each, with instructions, and a memory of its own if it is wanted.

A project is known by its name, as a folder was: the conversations in it keep the name, and follow
it when it changes.
"""

from alembic import op

revision = "0052"
down_revision = "0051"

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
          AND (until IS NULL OR m.created_at <= until) AND NOT m.is_copy AND m.withheld_at IS NULL
          {condition}
        LIMIT most
    $$
"""
COUNT_OWN_MESSAGES_CONTAINING = """
    CREATE OR REPLACE FUNCTION count_own_messages_containing(asked tsquery, most bigint)
    RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT count(*) FROM (
            SELECT FROM messages m
            WHERE m.words @@ (quote_literal(owner_word(
                      current_setting('throughline.user_id', true)))::tsquery && asked)
              AND m.user_id = current_setting('throughline.user_id', true)
              {condition}
            LIMIT most) AS few
    $$
"""
OWN_PASSAGES_CONTAINING = """
    CREATE OR REPLACE FUNCTION own_passages_containing(asked tsquery, most bigint)
    RETURNS TABLE (passage_id bigint, length integer)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 50
    SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT p.passage_id, pg_catalog.length(p.words)
        FROM file_passages p
        WHERE p.words @@ (quote_literal(owner_word(
                  current_setting('throughline.user_id', true)))::tsquery && asked)
          AND p.user_id = current_setting('throughline.user_id', true)
          {condition}
        LIMIT most
    $$
"""
OF_MESSAGE = (
    """AND (m.conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)"""
)
OF_PASSAGE = """AND ((SELECT a.conversation_id FROM attachments a
                WHERE a.attachment_id = p.attachment_id) IN (SELECT kept_inside()))
              = (current_project() IS NOT NULL)"""


def upgrade() -> None:
    _add_projects()
    _keep_facts_inside()
    # What is found by words is kept inside, too.
    op.execute("""
        CREATE FUNCTION kept_inside() RETURNS SETOF uuid LANGUAGE sql STABLE ROWS 50
        SET search_path = pg_catalog, public, pg_temp
        AS $$
            SELECT c.conversation_id FROM projects p
            JOIN conversations c ON c.user_id = p.user_id AND c.project = p.name
            WHERE p.user_id = current_setting('throughline.user_id', true) AND p.own_memory
              AND (current_project() IS NULL OR p.name = current_project())
        $$
    """)
    op.execute(OWN_MESSAGES_CONTAINING.format(condition=OF_MESSAGE))
    op.execute(COUNT_OWN_MESSAGES_CONTAINING.format(condition=OF_MESSAGE))
    op.execute(OWN_PASSAGES_CONTAINING.format(condition=OF_PASSAGE))


def _force_policies(force: str) -> None:
    """Without force the owner, who migrates, sees the rows of all users."""
    for table in ("conversations", "projects", "structured_facts", "fact_suggestions"):
        op.execute(f"ALTER TABLE {table} {force} ROW LEVEL SECURITY")


def _add_projects() -> None:
    op.execute("""
        CREATE TABLE projects (
            user_id       text NOT NULL REFERENCES users ON DELETE CASCADE,
            name          text NOT NULL,
            instructions  text NOT NULL DEFAULT '',
            persona_id    bigint,
            model         text,
            own_memory    boolean NOT NULL DEFAULT false,
            created_at    timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (user_id, name),
            CONSTRAINT projects_persona_id_owned
                FOREIGN KEY (persona_id, user_id) REFERENCES personas (persona_id, user_id)
                ON DELETE SET NULL (persona_id)
        )
    """)
    for column in ("name", "instructions", "model"):
        op.execute(f"ALTER TABLE projects ALTER COLUMN {column} SET STATISTICS 0")
    op.execute("CREATE INDEX projects_by_persona ON projects (persona_id)")
    op.execute("ALTER TABLE projects ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE projects FORCE ROW LEVEL SECURITY")
    op.execute("CREATE POLICY upkeep ON projects TO throughline_upkeep USING (true)")
    op.execute("""
        CREATE POLICY own_rows ON projects
        USING (user_id = current_setting('throughline.user_id', true))
    """)
    op.execute("ALTER TABLE conversations ADD COLUMN project text")
    op.execute("ALTER TABLE conversations ALTER COLUMN project SET STATISTICS 0")
    _carry_folders_over()
    op.execute("""
        CREATE INDEX conversations_by_project
        ON conversations (user_id, project, updated_at DESC, conversation_id DESC)
        WHERE project IS NOT NULL
    """)
    op.execute("""
        CREATE UNIQUE INDEX conversations_of_notes_by_project ON conversations (user_id, project)
        NULLS NOT DISTINCT WHERE is_notes
    """)
    # A project with chats cannot be deleted: whoever deletes it says first where they go.
    op.execute("""
        ALTER TABLE conversations
            ADD CONSTRAINT conversations_project_owned
            FOREIGN KEY (user_id, project) REFERENCES projects (user_id, name) ON UPDATE CASCADE
    """)
    _follow_folders()


def _carry_folders_over() -> None:
    _force_policies("NO FORCE")
    op.execute("""
        INSERT INTO projects (user_id, name)
        SELECT DISTINCT user_id, folder FROM conversations WHERE folder IS NOT NULL
    """)
    op.execute("UPDATE conversations SET project = folder WHERE folder IS NOT NULL")
    _force_policies("FORCE")


def _follow_folders() -> None:
    """While the version before serves, let `folder` and `project` be the same."""
    op.execute("""
        CREATE FUNCTION follow_folders() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'INSERT' THEN
                NEW.project := coalesce(NEW.project, NEW.folder);
            ELSIF NEW.folder IS DISTINCT FROM OLD.folder THEN
                NEW.project := NEW.folder;
            END IF;
            IF NEW.project IS NOT NULL AND NEW.project IS NOT DISTINCT FROM NEW.folder THEN
                INSERT INTO projects (user_id, name) VALUES (NEW.user_id, NEW.project)
                ON CONFLICT DO NOTHING;
            END IF;
            NEW.folder := NEW.project;
            RETURN NEW;
        END
        $$
    """)
    op.execute("""
        CREATE TRIGGER conversations_follow_folders
        BEFORE INSERT OR UPDATE OF folder, project ON conversations
        FOR EACH ROW EXECUTE FUNCTION follow_folders()
    """)


def _keep_facts_inside() -> None:
    # The project in whose memory the transaction reads and writes, and no other. NULL: the shared
    # memory. With `all` it sees what every memory holds, and writes into the shared one.
    op.execute("""
        CREATE FUNCTION current_project() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN nullif(substr(current_setting('throughline.memory', true), 4), '')
    """)
    op.execute("DROP INDEX structured_facts_one_active")
    op.execute("DROP INDEX fact_suggestions_one_open")
    op.execute("""
        ALTER TABLE fact_suggestions
            DROP CONSTRAINT fact_suggestions_user_id_category_key_fingerprint_key
    """)
    for table in ("structured_facts", "fact_suggestions"):
        # NULL: the fact is in the shared memory.
        op.execute(f"""
            ALTER TABLE {table}
                ADD COLUMN project text DEFAULT current_project(),
                ADD CONSTRAINT {table}_project_owned
                    FOREIGN KEY (user_id, project) REFERENCES projects (user_id, name)
                    ON UPDATE CASCADE ON DELETE CASCADE
        """)
        op.execute(f"ALTER TABLE {table} ALTER COLUMN project SET STATISTICS 0")
        op.execute(f"""
            CREATE INDEX {table}_by_project ON {table} (user_id, project)
            WHERE project IS NOT NULL
        """)
        op.execute(f"DROP POLICY own_rows ON {table}")
        op.execute(f"""
            CREATE POLICY own_rows ON {table}
            USING (user_id = current_setting('throughline.user_id', true)
                   AND (project IS NOT DISTINCT FROM current_project()
                        OR current_setting('throughline.memory', true) = 'all'))
        """)
    op.execute("""
        CREATE UNIQUE INDEX structured_facts_one_active
        ON structured_facts (user_id, category, key, project) NULLS NOT DISTINCT WHERE is_active
    """)
    op.execute("""
        CREATE UNIQUE INDEX fact_suggestions_one_open
        ON fact_suggestions (user_id, category, key, project) NULLS NOT DISTINCT
        WHERE value IS NOT NULL
    """)
    op.execute("""
        ALTER TABLE fact_suggestions
            ADD CONSTRAINT fact_suggestions_once
            UNIQUE NULLS NOT DISTINCT (user_id, category, key, fingerprint, project)
    """)


def downgrade() -> None:
    """What was kept inside is deleted, since the schema before would share it."""
    op.execute(OWN_MESSAGES_CONTAINING.format(condition=""))
    op.execute(COUNT_OWN_MESSAGES_CONTAINING.format(condition=""))
    op.execute(OWN_PASSAGES_CONTAINING.format(condition=""))
    op.execute("DROP FUNCTION kept_inside()")
    _force_policies("NO FORCE")
    op.execute("""
        DELETE FROM conversations c USING projects p
        WHERE p.user_id = c.user_id AND p.name = c.project AND p.own_memory
    """)
    for table in ("structured_facts", "fact_suggestions"):
        op.execute(f"DELETE FROM {table} WHERE project IS NOT NULL")  # noqa: S608 - names of ours
    _force_policies("FORCE")
    for table in ("structured_facts", "fact_suggestions"):
        op.execute(f"DROP POLICY own_rows ON {table}")
        op.execute(f"""
            CREATE POLICY own_rows ON {table}
            USING (user_id = current_setting('throughline.user_id', true))
        """)
        op.execute(f"ALTER TABLE {table} DROP COLUMN project")  # with its constraints and indexes
    op.execute("""
        CREATE UNIQUE INDEX structured_facts_one_active ON structured_facts (user_id, category, key)
        WHERE is_active
    """)
    op.execute("""
        CREATE UNIQUE INDEX fact_suggestions_one_open ON fact_suggestions (user_id, category, key)
        WHERE value IS NOT NULL
    """)
    op.execute("""
        ALTER TABLE fact_suggestions
            ADD CONSTRAINT fact_suggestions_user_id_category_key_fingerprint_key
            UNIQUE (user_id, category, key, fingerprint)
    """)
    op.execute("DROP FUNCTION current_project()")
    op.execute("DROP TRIGGER conversations_follow_folders ON conversations")
    op.execute("DROP FUNCTION follow_folders()")
    op.execute("ALTER TABLE conversations DROP COLUMN project")
    op.execute("DROP TABLE projects")
