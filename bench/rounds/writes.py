"""What a round writes: `python -m bench.rounds.writes` (two minutes).

A whole site, with vectors and memory by the stand-in. Clients talk, everything catches up, the
tables are measured, and again after `--rounds` more. Sizes are what the files have grown by, with
indexes and the room of dead rows that vacuum has not given back. Postgres' transactions and WAL and
Redis' memory are measured with them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import click
import httpx
from psycopg2.sql import SQL, Identifier

from bench.harness.model_server import running_model
from bench.harness.report import Figure, publish
from bench.harness.site import BenchSite, model_settings, running_site
from bench.rounds.speakers import Speakers, ask_all
from shared.db import fetch_row, fetch_rows
from shared.settings import STAND_IN_MODEL

CLIENTS = 8
FIRST_ROUNDS = 16  # files begin with empty pages
ROUNDS_EACH = 12  # of a conversation
SETTLE_S = 11.0  # until idle connections have added to Postgres' counters
SIZES = """
    SELECT relname AS name, pg_table_size(oid) AS data_bytes, pg_indexes_size(oid) AS index_bytes
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""
COUNT = SQL("SELECT count(*) AS n FROM {}")
TEXTS = "SELECT sum(octet_length(content))::bigint AS bytes FROM messages"
WORK = """
    SELECT xact_commit + xact_rollback AS transactions,
           pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal_bytes
    FROM pg_stat_database WHERE datname = current_database()
"""

#: Numbers so far by table and column, such as ("messages", "rows"); "" is the whole site.
Counts = Counter[tuple[str, str]]


@click.command()
@click.option("--rounds", default=800, show_default=True)
def main(*, rounds: int) -> None:
    with running_model() as (model, _):
        settings = model_settings(model) | {"MEMORY_MODEL": STAND_IN_MODEL}
        with running_site(settings) as site:
            httpx.get(f"{site.url}/healthz?warm", timeout=60)
            speakers = Speakers(site.url, CLIENTS, lambda number: f"client-{number}", ROUNDS_EACH)
            counts = []
            for number in (FIRST_ROUNDS, rounds):
                ask_all(speakers.send, CLIENTS, number)
                site.wait_for_jobs()
                time.sleep(SETTLE_S)
                counts.append(read_counts(site))
    counts[1].subtract(counts[0])
    publish("writes", figures_of(counts[1], rounds // CLIENTS * CLIENTS))


def read_counts(site: BenchSite) -> Counts:
    work = site.fetch_row(WORK)
    counts: Counts = Counter({("", name): int(number) for name, number in work.items()})
    with site.database.transaction() as connection:
        for table in fetch_rows(connection, SIZES):
            row = fetch_row(connection, COUNT.format(Identifier(table["name"]))) or {}
            counts[table["name"], "rows"] = row["n"]
            counts[table["name"], "data"] = table["data_bytes"]
            counts[table["name"], "indexes"] = table["index_bytes"]
    counts["", "text"] = site.fetch_row(TEXTS)["bytes"]
    counts["", "redis"] = int(site.redis.info("memory")["used_memory_dataset"])
    counts["", "commands"] = int(site.redis.info("stats")["total_commands_processed"])
    return counts


def figures_of(grown: Counts, rounds: int) -> Iterator[Figure]:
    tables = {name for name, _ in grown if name}
    sizes = {name: grown[name, "data"] + grown[name, "indexes"] for name in tables}
    for name in sorted(tables, key=lambda name: -sizes[name]):
        if grown[name, "rows"] or sizes[name]:
            for what, unit in (("rows", ""), ("data", "bytes"), ("indexes", "bytes")):
                value = grown[name, what] / rounds
                yield Figure(name=f"{name}: {what} a round", value=value, unit=unit)
    rows = sum(grown[name, "rows"] for name in tables)
    totals = {
        "all tables: rows a round": (rows, ""),
        "all tables: bytes a round": (sum(sizes.values()), "bytes"),
        "text of a round": (grown["", "text"], "bytes"),
        "WAL a round": (grown["", "wal_bytes"], "bytes"),
        "transactions a round": (grown["", "transactions"], ""),
        "Redis' data a round": (grown["", "redis"], "bytes"),
        "Redis' commands a round": (grown["", "commands"], ""),
    }
    for name, (number, unit) in totals.items():
        yield Figure(name=name, value=number / rounds, unit=unit)


if __name__ == "__main__":
    main()
