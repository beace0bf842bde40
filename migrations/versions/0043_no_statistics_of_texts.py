"""Postgres' statistics hold no texts: what was deleted must not be read in `pg_stats` afterwards.

ANALYZE copies values of a column into `pg_statistic`, where they outlive their rows. So it leaves
out every column of variable length but for a few, by which queries are planned and which hold no
text: `tests/integration/test_statistics.py` has the list, and fails for a new column.
"""

import click
from alembic import op
from sqlalchemy import text

revision = "0043"
down_revision = "0042"

LIST_COLUMNS = """
    SELECT c.relname AS "table", a.attname AS "column"
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND c.relname <> 'alembic_version'
      AND a.attnum > 0 AND NOT a.attisdropped AND t.typlen < 0
      AND a.attname NOT IN ('user_id', 'status', 'role', 'category', 'embedding_model')
    ORDER BY c.relname, a.attnum
"""
IS_SUPERUSER = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
CAN_CLEAR = "SELECT current_setting('server_version_num')::integer >= 180000"
#: What a superuser may do in every version, and a table's owner from Postgres 18 on.
DELETE_STATISTICS = """
    DELETE FROM pg_statistic s USING pg_attribute a
    WHERE a.attrelid = s.starelid AND a.attnum = s.staattnum AND a.attstattarget = 0
"""
CLEAR_STATISTICS = "SELECT pg_clear_attribute_stats('public', :table, :column, false)"


def upgrade() -> None:
    connection = op.get_bind()
    columns = connection.execute(text(LIST_COLUMNS)).mappings().all()
    for row in columns:
        op.execute(f"ALTER TABLE {row['table']} ALTER COLUMN {row['column']} SET STATISTICS 0")
    if connection.scalar(text(IS_SUPERUSER)):
        connection.execute(text(DELETE_STATISTICS))
    elif connection.scalar(text(CAN_CLEAR)):
        for row in columns:
            connection.execute(text(CLEAR_STATISTICS), dict(row))
    else:
        click.echo(
            "Postgres' statistics may still hold pieces of texts, which a superuser must remove: "
            "see docs/operations.md, What deletion removes."
        )


def downgrade() -> None:
    for row in op.get_bind().execute(text(LIST_COLUMNS)).mappings().all():
        op.execute(f"ALTER TABLE {row['table']} ALTER COLUMN {row['column']} SET STATISTICS -1")
