"""Rows and bytes of a round, by table: `python -m bench.round_bytes` (two minutes).

A whole site, with vectors and memory by the stand-in. Clients talk, everything catches up, the
tables are measured, and again after `--rounds` more. Sizes are what the files have grown by, with
indexes and the room of dead rows that vacuum has not given back. Postgres' transactions and WAL and
Redis' memory are measured with them.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

import click
import httpx
from psycopg2.sql import SQL, Identifier

from bench.model_server import running_model_server
from bench.report import Figure, publish
from bench.rounds import ask_all, wait_for_jobs
from bench.scaling_counts import Written, count_commands, read_written
from bench.scaling_rounds import make_clients, running_site
from bench.supervised import Supervised
from shared.db import PgConnection, fetch_row, fetch_rows

CLIENTS = 8
FIRST_ROUNDS = 16  # files begin with empty pages
SETTLE_S = 11.0  # until idle connections have added to Postgres' counters
SIZES = """
    SELECT relname AS name, pg_table_size(oid) AS data_bytes, pg_indexes_size(oid) AS index_bytes
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""
COUNT = SQL("SELECT count(*) AS n FROM {}")
TEXTS = "SELECT sum(octet_length(content))::bigint AS bytes FROM messages"


@dataclass(frozen=True, kw_only=True)
class Table:
    rows: float
    data_bytes: float
    index_bytes: float


@dataclass(frozen=True, kw_only=True)
class Sizes:
    tables: dict[str, Table]
    text_bytes: int
    written: Written
    redis_bytes: int
    commands: int


@click.command()
@click.option("--rounds", default=800, show_default=True)
def main(*, rounds: int) -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with running_model_server() as model, running_site(model, 1) as site:
        httpx.get(f"{site.url}/healthz?warm", timeout=60)
        clients = make_clients(site.url, CLIENTS)
        sizes = []
        for count in (FIRST_ROUNDS, rounds):
            asyncio.run(ask_all(clients.send, CLIENTS, count))
            wait_for_jobs(site)
            time.sleep(SETTLE_S)
            sizes.append(read_sizes(site))
    played = rounds // CLIENTS * CLIENTS
    publish("round_bytes", figures_of(sizes[0], sizes[1], played))


def read_sizes(site: Supervised) -> Sizes:
    writes = read_written(site.database)
    with site.database.transaction() as connection:
        sizes = fetch_rows(connection, SIZES)
        rows = {row["name"]: _count(connection, row["name"]) for row in sizes}
        texts = fetch_row(connection, TEXTS)
    assert texts is not None  # noqa: S101 - an aggregate
    return Sizes(
        tables={
            row["name"]: Table(
                rows=rows[row["name"]], data_bytes=row["data_bytes"], index_bytes=row["index_bytes"]
            )
            for row in sizes
        },
        text_bytes=texts["bytes"],
        written=writes,
        redis_bytes=int(site.redis.info("memory")["used_memory_dataset"]),
        commands=count_commands(site.redis),
    )


def _count(connection: PgConnection, table: str) -> int:
    row = fetch_row(connection, COUNT.format(Identifier(table)))
    assert row is not None  # noqa: S101 - an aggregate
    return int(row["n"])


def figures_of(before: Sizes, after: Sizes, rounds: int) -> Iterator[Figure]:
    grown = {
        name: _grown(before.tables[name], table, rounds) for name, table in after.tables.items()
    }
    for name, table in sorted(grown.items(), key=lambda pair: -_bytes(pair[1])):
        if not (table.rows or _bytes(table)):
            continue
        yield Figure(name=f"{name}: rows a round", value=table.rows, unit="")
        yield Figure(name=f"{name}: data a round", value=table.data_bytes, unit="bytes")
        yield Figure(name=f"{name}: indexes a round", value=table.index_bytes, unit="bytes")
    writes = after.written.since(before.written)
    values = {
        "all tables: rows a round": (sum(table.rows for table in grown.values()), ""),
        "all tables: bytes a round": (sum(map(_bytes, grown.values())), "bytes"),
        "text of a round": ((after.text_bytes - before.text_bytes) / rounds, "bytes"),
        "WAL a round": (writes.wal_bytes / rounds, "bytes"),
        "transactions a round": (writes.transactions / rounds, ""),
        "Redis' data a round": ((after.redis_bytes - before.redis_bytes) / rounds, "bytes"),
        "Redis' commands a round": ((after.commands - before.commands) / rounds, ""),
    }
    for name, (value, unit) in values.items():
        yield Figure(name=name, value=value, unit=unit)


def _grown(before: Table, after: Table, rounds: int) -> Table:
    return Table(
        rows=(after.rows - before.rows) / rounds,
        data_bytes=(after.data_bytes - before.data_bytes) / rounds,
        index_bytes=(after.index_bytes - before.index_bytes) / rounds,
    )


def _bytes(table: Table) -> float:
    return table.data_bytes + table.index_bytes


if __name__ == "__main__":
    main()
