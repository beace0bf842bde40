"""Jobs that tidy a user's facts, and versions of facts that say what such a job did to them."""

from alembic import op

revision = "0047"
down_revision = "0046"

#: Kind, table, id, first message, last message.
JOBS = (
    ("summary", "memory", "memory_id", "start_sequence", "end_sequence"),
    ("episode", "episodic_memory", "id", "turn_start", "turn_end"),
    ("facts", "fact_extractions", "id", "start_sequence", "end_sequence"),
    ("title", "titles", "id", "start_sequence", "end_sequence"),
    ("tidying", "tidyings", "id", "start_sequence", "end_sequence"),
)


def upgrade() -> None:
    op.execute("""
        CREATE TABLE tidyings (
            id               bigint DEFAULT new_id() PRIMARY KEY,
            conversation_id  uuid NOT NULL,
            user_id          text NOT NULL,
            start_sequence   integer NOT NULL,
            end_sequence     integer NOT NULL,
            status           text NOT NULL
                             CHECK (status IN ('processing', 'completed', 'failed')),
            attempts         integer NOT NULL DEFAULT 0,
            dispatch_count   integer NOT NULL DEFAULT 1,
            in_backlog       boolean NOT NULL DEFAULT false,
            fencing_token    bigint,
            lease_until      timestamptz NOT NULL,
            error            text,
            created_at       timestamptz NOT NULL DEFAULT now(),
            begun_at         timestamptz,
            finished_at      timestamptz,
            CHECK (0 <= start_sequence AND start_sequence <= end_sequence),
            CONSTRAINT tidyings_conversation_id_owned
                FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversations (conversation_id, user_id) ON DELETE CASCADE
        )
    """)
    op.execute("ALTER TABLE tidyings ALTER COLUMN error SET STATISTICS 0")
    op.execute("CREATE INDEX tidyings_by_conversation ON tidyings (conversation_id, status)")
    op.execute("CREATE INDEX tidyings_by_user ON tidyings (user_id, created_at)")
    op.execute("CREATE INDEX tidyings_finished ON tidyings (finished_at)")
    op.execute("CREATE INDEX tidyings_leases ON tidyings (lease_until) WHERE status = 'processing'")
    # A user's facts are tidied as a whole: one job a user, in whichever conversation.
    op.execute("""
        CREATE UNIQUE INDEX tidyings_one_processing
        ON tidyings (user_id) WHERE status = 'processing'
    """)
    op.execute("ALTER TABLE tidyings ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE tidyings FORCE ROW LEVEL SECURITY")
    op.execute("""
        CREATE POLICY own_rows ON tidyings
        USING (user_id = current_setting('throughline.user_id', true))
    """)
    op.execute("CREATE POLICY upkeep ON tidyings TO throughline_upkeep USING (true)")
    # Both stay when the user undoes it, so that it is not done again.
    op.execute("""
        ALTER TABLE structured_facts
            ADD COLUMN tidied text CHECK (tidied IN ('joined', 'contradicted', 'expired')),
            ADD COLUMN former_key text
    """)
    for column in ("tidied", "former_key"):
        op.execute(f"ALTER TABLE structured_facts ALTER COLUMN {column} SET STATISTICS 0")
    _replace_view(JOBS)


def downgrade() -> None:
    _replace_view(JOBS[:-1])
    op.execute("DROP TABLE tidyings")
    op.execute("ALTER TABLE structured_facts DROP COLUMN tidied, DROP COLUMN former_key")


def _replace_view(jobs: tuple[tuple[str, ...], ...]) -> None:
    op.execute(
        "CREATE OR REPLACE VIEW jobs WITH (security_invoker = true) AS "
        + " UNION ALL ".join(_select(*names) for names in jobs)
    )


def _select(kind: str, table: str, id_column: str, start: str, end: str) -> str:
    """An episode that the user deleted counts as a completed job."""
    return f"""
        SELECT '{kind}'::text AS kind, {id_column} AS job_id, conversation_id,
               {start} AS start_sequence, {end} AS end_sequence, status,
               CASE WHEN status = 'deleted' THEN 'completed'
                    WHEN status <> 'processing' THEN status
                    WHEN fencing_token IS NULL THEN 'queued'
                    ELSE 'running' END AS state,
               attempts, error, lease_until, created_at, begun_at, finished_at
        FROM {table}
    """  # noqa: S608 - the names above
