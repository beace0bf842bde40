"""Looks for a word in every place where the product keeps anything."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import redis
from psycopg2 import sql

from shared.db import PgConnection
from shared.services import Services
from tests.services import as_owner

COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
"""

LIST_IN_STATISTICS = """
    SELECT concat_ws('.', s.starelid::regclass, a.attname) FROM pg_statistic s
    JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum
    WHERE strpos(lower(s::text), lower(%s)) > 0
"""


def find_text(product: Services, word: str) -> list[str]:
    """Columns of any table and type, and keys of Redis, that hold the word in either case."""
    with as_owner(product) as connection:
        places = find_in_tables(connection, word.lower())
    return places + find_in_redis(product.redis, word.lower())


def find_in_tables(connection: PgConnection, word: str) -> list[str]:
    places = []
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column in cursor.fetchall():
            query = sql.SQL("SELECT 1 FROM {} WHERE strpos(lower({}::text), %s) > 0 LIMIT 1")
            cursor.execute(query.format(sql.Identifier(table), sql.Identifier(column)), [word])
            places += [f"{table}.{column}"] if cursor.fetchone() else []
    return places


def find_in_statistics(connection: PgConnection, word: str) -> list[str]:
    """Columns of which ANALYZE has copied the word. The connection is a superuser's."""
    with connection.cursor() as cursor:
        cursor.execute(LIST_IN_STATISTICS, [word])
        return [column for (column,) in cursor.fetchall()]


def find_in_redis(client: redis.Redis, word: str) -> list[str]:
    return [key for key, held in read_redis(client).items() if word in str((key, held)).lower()]


def read_redis(client: redis.Redis) -> dict[str, object]:
    """Every key with what it holds, but for task queues, which hold ids."""
    readers: dict[str, Callable[[str], object]] = {
        "string": client.get,
        "list": lambda key: client.lrange(key, 0, -1),
        "hash": client.hgetall,
        "zset": lambda key: client.zrange(key, 0, -1),
        "set": client.smembers,
        "stream": client.xrange,
    }
    kinds = {str(key): str(client.type(key)) for key in client.keys("*")}
    return {key: readers[kind](key) for key, kind in kinds.items() if kind in readers}


def find_in_files(folder: Path, word: str) -> list[str]:
    """Names of files that hold the word in either case. Some come and go meanwhile."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return [path.name for path in paths if word.lower().encode() in _read(path).lower()]


def _read(path: Path) -> bytes:
    with suppress(FileNotFoundError):
        return path.read_bytes() if path.is_file() else b""
    return b""
