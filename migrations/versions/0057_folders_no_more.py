"""Take away what only the version before needs: folders, and one chat of notes for each user."""

from alembic import op

revision = "0057"
down_revision = "0056"

PHASE = "after"


def upgrade() -> None:
    op.execute("DROP TRIGGER conversations_follow_folders ON conversations")
    op.execute("DROP FUNCTION follow_folders()")
    op.execute("ALTER TABLE conversations DROP COLUMN folder")  # with its index
    op.execute("DROP INDEX conversations_of_notes")
    op.execute("ALTER INDEX conversations_of_notes_by_project RENAME TO conversations_of_notes")


def downgrade() -> None:
    op.execute("ALTER INDEX conversations_of_notes RENAME TO conversations_of_notes_by_project")
    op.execute("ALTER TABLE conversations ADD COLUMN folder text")
    op.execute("ALTER TABLE conversations NO FORCE ROW LEVEL SECURITY")  # all users' rows
    op.execute("UPDATE conversations SET folder = project WHERE project IS NOT NULL")
    op.execute("UPDATE conversations SET is_notes = false WHERE project IS NOT NULL AND is_notes")
    op.execute("ALTER TABLE conversations FORCE ROW LEVEL SECURITY")
    op.execute("""
        CREATE INDEX conversations_by_folder
        ON conversations (user_id, folder, updated_at DESC, conversation_id DESC)
        WHERE folder IS NOT NULL
    """)
    op.execute("""
        CREATE UNIQUE INDEX conversations_of_notes ON conversations (user_id) WHERE is_notes
    """)
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
