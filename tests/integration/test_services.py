from __future__ import annotations

import psycopg2
import redis

from shared.settings import Settings
from tests.services import MakeSettings, Services, as_application


def test_each_database_is_migrated_and_its_own(services: Services) -> None:
    with services.database() as first, services.database() as second:
        assert first != second
        assert count_tables(first) == count_tables(second) > 0


def test_a_database_is_dropped_while_somebody_is_connected(services: Services) -> None:
    with services.database() as url:
        left_open = psycopg2.connect(url)
    left_open.close()


def test_an_empty_database_has_no_tables(empty_database_url: str) -> None:
    assert count_tables(empty_database_url) == 0


def test_redis_is_empty_for_each_test(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0


def test_settings_name_the_services_of_this_test(
    settings: Settings, database_url: str, redis_url: str
) -> None:
    own = as_application(database_url)
    assert (settings.database_url, settings.redis_url) == (own, redis_url)


def test_settings_can_be_overridden(make_settings: MakeSettings) -> None:
    assert make_settings(ctx_tokens=999).ctx_tokens == 999


def count_tables(url: str) -> int:
    connection = psycopg2.connect(url)
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        (count,) = cursor.fetchone() or (0,)
    connection.close()
    return int(count)
