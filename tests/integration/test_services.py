from __future__ import annotations

from contextlib import closing

import psycopg2
import pytest
import redis

from shared.settings import Settings
from tests.services import MakeSettings, Services, as_application


def test_each_database_is_migrated(services: Services) -> None:
    with services.databases.lend() as first, services.databases.lend() as second:
        assert first != second
        assert count_tables(first) == count_tables(second) > 0


def test_a_database_is_emptied_for_the_next_test_whoever_is_connected(services: Services) -> None:
    with services.databases.lend() as url:
        left_open = psycopg2.connect(url)
        run(url, "INSERT INTO users (user_id) VALUES ('ada')")
        run(url, "INSERT INTO usage_days (user_id, day) VALUES ('ada', now())")
        run(url, "SELECT nextval('fencing_tokens')")
    with services.databases.lend() as next_url:
        assert next_url == url
        assert run(url, "SELECT count(*) FROM users") == 0
        assert run(url, "SELECT count(*) FROM usage_days") == 0
        assert run(url, "SELECT nextval('fencing_tokens')") == 1
    left_open.close()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE INDEX ON messages (content)",
        "ALTER TABLE messages ALTER COLUMN content SET STATISTICS 100",
        "DROP POLICY own_rows ON messages",
        "REVOKE SELECT ON messages FROM throughline_app",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        (
            "CREATE OR REPLACE FUNCTION recall_languages() RETURNS regconfig[]"
            " IMMUTABLE PARALLEL SAFE RETURN ARRAY['german'::regconfig]"
        ),
        "ALTER ROLE throughline_app SET work_mem = '1MB'",
        "ALTER ROLE throughline_app CONNECTION LIMIT 3",
        "UPDATE alembic_version SET version_num = '0001'",
    ],
)
def test_who_changes_more_than_rows_is_named(services: Services, statement: str) -> None:
    with (
        pytest.raises(AssertionError, match="changes_schema"),
        services.databases.lend() as url,
    ):
        run(url, statement)
    run(url, "ALTER ROLE throughline_app RESET work_mem")
    run(url, "ALTER ROLE throughline_app CONNECTION LIMIT -1")


def test_who_writes_after_its_end_is_named(services: Services) -> None:
    with services.databases.lend() as url:
        pass
    run(url, "INSERT INTO users (user_id) VALUES ('ada')")
    with pytest.raises(AssertionError, match="wrote after its end"), services.databases.lend():
        pass


def test_an_empty_database_has_no_tables(empty_database_url: str) -> None:
    assert count_tables(empty_database_url) == 0


def test_redis_is_empty_for_each_test(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0


def test_settings_name_the_services_of_this_test(
    settings: Settings, database_url: str, redis_url: str
) -> None:
    application_url = as_application(database_url)
    assert (settings.database_url, settings.redis_url) == (application_url, redis_url)


def test_settings_can_be_overridden(make_settings: MakeSettings) -> None:
    assert make_settings(ctx_tokens=999).ctx_tokens == 999


def count_tables(url: str) -> int:
    return int(str(run(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")))


def run(url: str, statement: str) -> object:
    """Returns the first value, if there is one."""
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return (cursor.fetchone() or (None,))[0] if cursor.description else None
