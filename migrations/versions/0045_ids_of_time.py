"""Ids that are shown follow the time, so that they do not tell how much other users do.

An id is the microsecond since 2020, and three more bits. These number the rows of one microsecond,
from a start that only this database knows. The number is taken first: who waits for it would else
come with an instant whose numbers others have used up. Until 2055 a double holds it exactly, as
JavaScript has to.
"""

from alembic import op

revision = "0045"
down_revision = "0044"

COLUMNS = (
    ("api_tokens", "token_id"), ("audit_events", "event_id"), ("episodic_memory", "id"),
    ("events", "event_id"), ("fact_extractions", "id"), ("fact_suggestions", "id"),
    ("memory", "memory_id"), ("oauth_grants", "grant_id"), ("personas", "persona_id"),
    ("prompts", "prompt_id"), ("shares", "share_id"), ("structured_facts", "id"),
    ("titles", "id"), ("webhook_deliveries", "delivery_id"), ("webhooks", "webhook_id"),
)  # fmt: skip


def upgrade() -> None:
    op.execute("CREATE SEQUENCE id_numbers")
    op.execute("CREATE TABLE id_salt (salt uuid PRIMARY KEY DEFAULT gen_random_uuid())")
    op.execute("INSERT INTO id_salt DEFAULT VALUES")
    op.execute("""
        CREATE FUNCTION new_id() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER
        SET search_path = pg_catalog, public, pg_temp
        AS $$
            SELECT instant * 8 + (number + (
                'x' || left(md5(instant || coalesce((SELECT salt::text FROM id_salt), '')), 6)
            )::bit(24)::integer) % 8
            FROM (
                SELECT number,
                       (extract(epoch FROM clock_timestamp() - '2020-01-01Z') * 1000000)::bigint
                FROM (SELECT nextval('id_numbers')) AS taken (number)
            ) AS now (number, instant)
        $$
    """)
    for table, column in COLUMNS:
        op.execute(f"""
            ALTER TABLE {table}
                ALTER COLUMN {column} DROP IDENTITY,
                ALTER COLUMN {column} SET DEFAULT new_id()
        """)


def downgrade() -> None:
    for table, column in COLUMNS:
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} DROP DEFAULT")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} ADD GENERATED ALWAYS AS IDENTITY")
        op.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column}))"  # noqa: S608 - names of ours
            f" FROM {table} HAVING max({column}) IS NOT NULL"
        )
    op.execute("DROP FUNCTION new_id")
    op.execute("DROP TABLE id_salt")
    op.execute("DROP SEQUENCE id_numbers")
