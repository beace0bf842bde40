"""Derived memory: summaries, episodes and facts."""

from alembic import op

revision = "0002"
down_revision = "0001"

# The same in every table whose rows are jobs; see shared/store/lease/claims.py.
LEASE_COLUMNS = """
    status          text NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    attempts        integer NOT NULL DEFAULT 0,
    dispatch_count  integer NOT NULL DEFAULT 1,
    fencing_token   bigint,
    lease_until     timestamptz NOT NULL,
    error           text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    finished_at     timestamptz
"""

GUARDED = ("memory", "episodic_memory", "fact_extractions")


def upgrade() -> None:
    op.execute(f"""
        CREATE TABLE memory (
            memory_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            conversation_id     uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            start_sequence      integer NOT NULL,
            end_sequence        integer NOT NULL,
            base_memory_id      bigint REFERENCES memory ON DELETE SET NULL,
            memory_text         text,
            points              jsonb,
            model               text,
            prompt_version      text,
            generation_time_ms  integer,
            {LEASE_COLUMNS},
            CHECK (0 <= start_sequence AND start_sequence <= end_sequence),
            CHECK (status <> 'completed' OR (memory_text IS NOT NULL AND points IS NOT NULL))
        )
    """)
    op.execute("""
        CREATE INDEX memory_newest
        ON memory (conversation_id, status, end_sequence DESC)
    """)
    op.execute(f"""
        CREATE TABLE episodic_memory (
            id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id          text NOT NULL REFERENCES users ON DELETE CASCADE,
            conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            turn_start       integer NOT NULL,
            turn_end         integer NOT NULL,
            turn_range       text NOT NULL GENERATED ALWAYS AS
                             (turn_start::text || '-' || turn_end::text) STORED,
            summary          text,
            key_concepts     text[] NOT NULL DEFAULT '{{}}',
            embedding        vector(384),
            embedding_model  text,
            started_at       timestamptz,
            ended_at         timestamptz,
            model            text,
            prompt_version   text,
            {LEASE_COLUMNS},
            CHECK (0 <= turn_start AND turn_start <= turn_end),
            CHECK (status <> 'completed' OR summary IS NOT NULL)
        )
    """)
    op.execute("""
        CREATE INDEX episodic_memory_newest
        ON episodic_memory (conversation_id, status, turn_end DESC)
    """)
    op.execute("CREATE INDEX episodic_memory_by_user ON episodic_memory (user_id)")
    op.execute("""
        CREATE UNIQUE INDEX episodic_memory_no_overlap
        ON episodic_memory (conversation_id, turn_start) WHERE status = 'completed'
    """)
    op.execute("""
        CREATE INDEX episodic_memory_nearest
        ON episodic_memory USING hnsw (embedding vector_cosine_ops)
    """)
    op.execute("""
        CREATE VIEW long_term_memories AS
        SELECT id, conversation_id, summary, key_concepts, created_at
        FROM episodic_memory WHERE status = 'completed'
    """)
    op.execute(f"""
        CREATE TABLE fact_extractions (
            id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            conversation_id  uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
            user_id          text NOT NULL REFERENCES users ON DELETE CASCADE,
            start_sequence   integer NOT NULL,
            end_sequence     integer NOT NULL,
            model            text,
            prompt_version   text,
            {LEASE_COLUMNS},
            CHECK (0 <= start_sequence AND start_sequence <= end_sequence)
        )
    """)
    op.execute("""
        CREATE INDEX fact_extractions_newest
        ON fact_extractions (conversation_id, status, end_sequence DESC)
    """)
    op.execute("""
        CREATE TABLE structured_facts (
            id                      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id                 text NOT NULL REFERENCES users ON DELETE CASCADE,
            category                text NOT NULL CHECK (category IN
                                    ('identity', 'preference', 'constraint', 'instruction')),
            key                     text NOT NULL,
            value                   text NOT NULL,
            confidence              real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
            importance              real NOT NULL CHECK (importance BETWEEN 0 AND 1),
            is_active               boolean NOT NULL DEFAULT true,
            source_conversation_id  uuid REFERENCES conversations ON DELETE SET NULL,
            source_sequence         integer,
            confirmed_at_turn       bigint NOT NULL,
            valid_from              timestamptz NOT NULL DEFAULT now(),
            valid_to                timestamptz,
            superseded_by           bigint REFERENCES structured_facts ON DELETE SET NULL,
            created_at              timestamptz NOT NULL DEFAULT now(),
            updated_at              timestamptz NOT NULL DEFAULT now(),
            CHECK (is_active = (valid_to IS NULL))
        )
    """)
    op.execute("""
        CREATE UNIQUE INDEX structured_facts_one_active
        ON structured_facts (user_id, category, key) WHERE is_active
    """)
    op.execute("""
        CREATE INDEX structured_facts_recall
        ON structured_facts (user_id, importance DESC) WHERE is_active
    """)
    op.execute(
        "CREATE INDEX structured_facts_versions ON structured_facts (user_id, category, key)"
    )
    for table in GUARDED:
        op.execute(f"""
            CREATE UNIQUE INDEX {table}_one_processing
            ON {table} (conversation_id) WHERE status = 'processing'
        """)
        op.execute(f"""
            CREATE INDEX {table}_leases ON {table} (lease_until) WHERE status = 'processing'
        """)


def downgrade() -> None:
    op.execute("DROP VIEW long_term_memories")
    op.execute("DROP TABLE structured_facts, fact_extractions, episodic_memory, memory")
