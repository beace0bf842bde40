"""Looks for a word in every place where the product keeps anything."""

from __future__ import annotations

from psycopg2 import sql

from shared.services import Services

COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
"""


def find_text(product: Services, word: str) -> list[str]:
    """Columns of any table and type, and keys of Redis, that hold the word in either case."""
    return [*_in_tables(product, word.lower()), *_in_redis(product, word.lower())]


def _in_tables(product: Services, word: str) -> list[str]:
    found = []
    with product.database.transaction() as connection, connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column in cursor.fetchall():
            query = sql.SQL("SELECT 1 FROM {} WHERE strpos(lower({}::text), %s) > 0 LIMIT 1")
            cursor.execute(query.format(sql.Identifier(table), sql.Identifier(column)), [word])
            found += [f"{table}.{column}"] if cursor.fetchone() else []
    return found


def _in_redis(product: Services, word: str) -> list[str]:
    client = product.redis
    readers = {
        "string": client.get,
        "list": lambda key: client.lrange(key, 0, -1),
        "hash": client.hgetall,
        "zset": lambda key: client.zrange(key, 0, -1),
        "set": client.smembers,
        "stream": client.xrange,
    }
    keys = list(client.keys("*"))
    return [key for key in keys if word in str((key, readers[client.type(key)](key))).lower()]
