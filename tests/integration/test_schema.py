"""`migrations/schema.sql` is the schema of today, with the newest migration in it."""

from __future__ import annotations

import psycopg2

from migrations import SCHEMA_FILE
from migrations.schema import dump_schema
from tests.services import Services


def test_the_file_is_the_schema_of_a_migrated_database(
    services: Services, database_url: str
) -> None:
    migrated = dump_schema(database_url, services.postgres.pg_dump)
    assert SCHEMA_FILE.read_text(encoding="utf-8") == migrated, "run `make schema`"


def test_the_file_makes_the_database_that_it_describes(
    services: Services, empty_database_url: str
) -> None:
    schema = SCHEMA_FILE.read_text(encoding="utf-8")
    connection = psycopg2.connect(empty_database_url)
    with connection, connection.cursor() as cursor:
        cursor.execute(schema)
    connection.close()
    assert dump_schema(empty_database_url, services.postgres.pg_dump) == schema
