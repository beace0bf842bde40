"""Whether users' tables can be split by user: `python -m bench.partitions` (half a minute).

Makes every table that has a `user_id` hash-partitioned in a scratch database, with the rows that
were in it, and then counts the partitions that each statement of recall reads, twice: as the
application, whose policies name the user in every statement, and as the owner, so that only what
the statement itself names can help. A router before several servers has no more than that. Then a
round is written, as it is and with the keys of `ON CONFLICT` widened as those of the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import psycopg2
from pgvector.psycopg2 import register_vector

from bench.partitioned_schema import (
    CONFLICT,
    Widened,
    default_owners,
    partition,
    widen_conflicts,
    widen_functions,
)
from bench.report import Figure, publish
from migrations.roles import grant_application
from migrations.upkeep import grant_upkeep
from shared.db import PgConnection, execute, fetch_rows
from shared.db.connection import OwnConnection
from shared.db.pool import SET_USER
from shared.models import Outcome, UserId
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.settings import read_settings
from shared.store.search.candidates import prepare_search
from tests.integration.store.test_plans import QUERIES, SEARCHES
from tests.services import as_application, running_services

USER = UserId("user1")
FILL = """
    INSERT INTO users SELECT 'user' || n FROM generate_series(1, 64) n;
    INSERT INTO conversations (conversation_id, user_id, agent, mode, last_sequence)
    SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
           'user' || 1 + (n - 1) % 64, 'general', 'active', 19
    FROM generate_series(1, 256) n;
    INSERT INTO messages (conversation_id, sequence_number, role, content, status)
    SELECT conversation_id, n, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           'word' || n || ' of it', 'complete'
    FROM conversations, generate_series(0, 19) n;
    INSERT INTO message_embeddings
    SELECT user_id, conversation_id, sequence_number, v.vector, 'm'
    FROM messages,
         (SELECT array_agg(random())::halfvec AS vector FROM generate_series(1, 384)) v
    WHERE sequence_number < 4;
    INSERT INTO memory (conversation_id, start_sequence, end_sequence, status, lease_until,
                        memory_text, points)
    SELECT conversation_id, 0, n, 'completed', now(), '-', '[]'
    FROM conversations, generate_series(5, 19, 2) n;
    INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, status,
                                 lease_until, summary, embedding, embedding_model)
    SELECT user_id, conversation_id, n * 5, n * 5 + 4, 'completed', now(),
           'word' || row_number() OVER (), v.vector, 'm'
    FROM conversations, generate_series(0, 1) n,
         (SELECT array_agg(random())::vector AS vector FROM generate_series(1, 384)) v;
    INSERT INTO structured_facts (user_id, category, key, value, confidence, importance,
                                  confirmed_at_turn)
    SELECT user_id, 'identity', 'key_' || n, 'value', 1, random(), 1
    FROM users, generate_series(1, 20) n;
"""
# How often this transaction has scanned each partition, or one of its indexes.
SCANS = """
    SELECT parent.relname AS table, p.relname AS partition,
           (pg_stat_get_xact_numscans(p.oid)
            + (SELECT coalesce(sum(pg_stat_get_xact_numscans(indexrelid)), 0) FROM pg_index
               WHERE indrelid = p.oid))::integer AS scans
    FROM pg_class p JOIN pg_inherits ON inhrelid = p.oid
    JOIN pg_class parent ON parent.oid = inhparent
    WHERE parent.relkind = 'p' AND p.relkind = 'r'
"""
STORE = Path(__file__).parents[1] / "shared" / "store"


@click.command()
@click.option("--partitions", default=8, show_default=True)
def main(*, partitions: int) -> None:
    with running_services() as services, services.databases.lend() as url:
        widened = prepare(url, partitions)
        show_keys(widened)
        by_policy = count_partitions(as_application(url))
        by_text = count_partitions(url)
        for name, said in play_rounds(url).items():
            print(f"{name}: {said}", flush=True)
    for name in by_policy:
        print(f"  {name}: {by_policy[name]} as the application, {by_text[name]} by its own words")
    conflicts = list_conflicts()
    print("ON CONFLICT without user_id:", *conflicts, sep="\n  ")
    publish("partitions", figures_of(widened, by_policy, by_text, len(conflicts)))


def prepare(url: str, partitions: int) -> Widened:
    """Fill in some users, and partition their tables."""
    with closing(psycopg2.connect(url)) as connection, connection:
        execute(connection, FILL.replace("%", "%%"))
        widened = partition(connection, partitions)
    grant_upkeep(url)
    grant_application(url, as_application(url))
    return widened


def play_rounds(url: str) -> dict[str, str]:
    """What becomes of a round as the product is, and with what it takes, step by step."""
    application = as_application(url)
    said = {"a round as it is": play_round(application, OwnConnection)}
    with closing(psycopg2.connect(url)) as connection, connection:
        widen_functions(connection)
    name = "with user_id in each ON CONFLICT"
    said[name] = play_round(application, WidenedConnection)
    with closing(psycopg2.connect(url)) as connection, connection:
        tables = default_owners(connection)
    name = f"and with the transaction's user as default in {', '.join(tables)}"
    said[name] = play_round(application, WidenedConnection)
    return said


def show_keys(widened: Widened) -> None:
    print(f"{widened.ready_unique_keys} unique keys and {widened.ready_foreign_keys} foreign keys "
          f"have user_id; these got it:")  # fmt: skip
    print("  " + "\n  ".join(widened.unique_keys + widened.foreign_keys), flush=True)


def count_partitions(url: str) -> dict[str, int]:
    """The most partitions of one table that each statement reads."""
    found = {}
    with closing(psycopg2.connect(url)) as connection:
        register_vector(connection)
        for name, ask in (QUERIES | SEARCHES).items():
            execute(connection, "SET LOCAL throughline.user_id = %(user)s", user=USER)
            prepare_search(connection)
            found[name] = _count(connection, ask)
            connection.rollback()
    return found


def _count(connection: PgConnection, ask: Callable[[Any, UserId], object]) -> int:
    before = fetch_rows(connection, SCANS)
    ask(connection, USER)
    known = {row["partition"]: row["scans"] for row in before}
    after = fetch_rows(connection, SCANS)
    read = [row["table"] for row in after if row["scans"] > known[row["partition"]]]
    return max((read.count(table) for table in read), default=0)


class WidenedConnection(OwnConnection):
    """Sends every `ON CONFLICT` with `user_id` in its key."""

    def cursor(self, *args: Any, **options: Any) -> Any:
        class WidenedCursor(psycopg2.extensions.cursor):
            def execute(self, query: Any, vars: Any = None) -> None:
                super().execute(widen_conflicts(query), vars)

        return super().cursor(*args, cursor_factory=WidenedCursor, **options)


def play_round(url: str, kind: type[OwnConnection]) -> str:
    """Write a round and claim its jobs. Returns what Postgres says of it."""
    settings = read_settings(database_url=url, redis_url="redis://nowhere")
    new = NewMessage(user_id=USER, text="I live in Oslo.", conversation_id=None, agent="general")
    connection: OwnConnection = psycopg2.connect(url, connection_factory=kind)
    try:
        _let_see(connection)
        opened = open_round(connection, new, settings)
        connection.commit()
        _let_see(connection)
        outcome = Outcome(status="complete", content="Fine.")
        due = close_round(connection, opened.attempt, outcome, settings)
        connection.commit()
    except psycopg2.Error as exc:
        return f"refused: {str(exc).splitlines()[0]}"
    finally:
        connection.close()
    return "written, with claims of " + (", ".join(one.kind for one in due or ()) or "nothing")


def _let_see(connection: OwnConnection) -> None:
    connection.prelude, connection.user = SET_USER, USER


OF_THE_SITE = {"site_models.py"}  # no user's


def list_conflicts() -> list[str]:
    """Statements whose `ON CONFLICT` names a key that has no `user_id`."""
    return [
        f"{path.relative_to(STORE)}: {columns}"
        for path in sorted(STORE.rglob("*.py"))
        for columns in CONFLICT.findall(path.read_text())
        if "user" not in columns and path.parent.name != "accounts" and path.name not in OF_THE_SITE
    ]


def figures_of(
    widened: Widened, by_policy: dict[str, int], by_text: dict[str, int], conflicts: int
) -> Iterator[Figure]:
    counts = {
        "unique keys with user_id": widened.ready_unique_keys,
        "unique keys that had to get it": len(widened.unique_keys),
        "foreign keys with user_id": widened.ready_foreign_keys,
        "foreign keys that had to get it": len(widened.foreign_keys),
        "ON CONFLICT that name a key without it": conflicts,
        "statements that read one partition, as the application": _ones(by_policy),
        "statements that read one partition, by their own words": _ones(by_text),
        "statements": len(by_policy),
    }
    for name, count in counts.items():
        yield Figure(name=name, value=count, unit="")


def _ones(found: dict[str, int]) -> int:
    return sum(count <= 1 for count in found.values())


if __name__ == "__main__":
    main()
