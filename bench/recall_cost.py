"""What a search costs: `python -m bench.recall_cost [messages ...]` (1,000, 10,000, 100,000).

Users with so many messages are in one table, with `--others` more messages of users with a thousand
each. The product's search is compared with two indexed queries written by hand that fetch as many
candidates: the nearest ones, and those with any of the words. They run in turn, so that other load
falls on both. It also prints which share of the exact nearest hundred the planner's choice finds,
and which index it chose.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click
import numpy as np
from pgvector import HalfVector

from bench.recall_rows import BYTES_A_TOKEN, DRAW_VECTORS, MODEL, WORDS, fill
from bench.recall_site import open_services
from migrations import upgrade
from shared.db import PgConnection, execute, fetch_rows
from shared.models import Encoded, Query, UserId, Vector
from shared.policy.ranking.question import Names, read_question
from shared.recall.messages import NEAREST, WITH_WORDS, search_messages
from shared.recall.query import Reading
from shared.services import Services
from shared.store.search.candidates import prepare_search

SIZES = (1_000, 10_000, 100_000)
SIZE_OF_OTHERS = 1_000
TIMES = 30
COMPARED = 100
ASKED = 12  # tokens of a question

BARE_MEANING = """
    SELECT conversation_id, sequence_number FROM message_embeddings
    WHERE user_id = %(user_id)s ORDER BY embedding <=> %(vector)s::halfvec LIMIT %(limit)s
"""
BARE_WORDS = """
    SELECT conversation_id, sequence_number FROM messages
    WHERE words @@ (quote_literal(owner_word(%(user_id)s))::tsquery
                    && replace(plainto_tsquery('english', %(text)s)::text, '&', '|')::tsquery)
    ORDER BY ts_rank(words, plainto_tsquery('english', %(text)s)) DESC LIMIT %(limit)s
"""


@click.command()
@click.argument("sizes", type=int, nargs=-1)
@click.option("--others", type=int, default=0, help="Messages of other users in the same table.")
@click.option("--database-url", default="", help="One to keep; else one of its own.")
@click.option("--redis-url", default="", help="Goes with it.")
def main(sizes: Sequence[int], others: int, database_url: str, redis_url: str) -> None:
    sizes = sizes or SIZES
    measured = [(user_of(size), size) for size in sizes]
    beside = [(UserId(f"other-{n}"), SIZE_OF_OTHERS) for n in range(others // SIZE_OF_OTHERS)]
    with open_services(database_url, redis_url) as services:
        upgrade(services.settings.database_url)
        fill(services, [*measured, *beside])
        for user, size in measured:
            measure(services, user, size)


def user_of(size: int) -> UserId:
    return UserId(f"user-{size}")


def measure(services: Services, user: UserId, size: int) -> None:
    chance = random.Random(size)
    bare: list[float] = []
    ours: list[float] = []
    found: list[float] = []
    for vector in draw_vectors(services, user):
        text = " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(6))
        reading = read(user, text, vector)
        with services.database.transaction(user=user) as connection:
            began = time.perf_counter()
            _bare(connection, user, text, vector)
            turned = time.perf_counter()
            search_messages(connection, reading)
            bare.append((turned - began) * 1000)
            ours.append((time.perf_counter() - turned) * 1000)
            found.append(_share_of_exact(connection, user, vector))
            plan = _plan(connection, user, vector)
    ratio = statistics.median(a / b for a, b in zip(ours, bare, strict=True))
    print(
        f"{size:>9,} messages: bare p50 {statistics.median(bare):6.1f} ms, "
        f"search {statistics.median(ours):6.1f} ms, {ratio:.1f} x, "
        f"{100 * statistics.fmean(found):.0f}% of the exact nearest {COMPARED} ({plan})",
        flush=True,
    )


def draw_vectors(services: Services, user: UserId) -> list[Vector]:
    with services.database.transaction() as connection:
        rows = fetch_rows(connection, DRAW_VECTORS, user_id=user, count=TIMES)
    return [np.array(json.loads(row["vector"]), dtype=np.float32) for row in rows]


def _bare(connection: PgConnection, user: UserId, text: str, vector: Vector) -> None:
    prepare_search(connection)
    fetch_rows(
        connection, BARE_MEANING, user_id=user, vector=HalfVector(vector).to_text(), limit=NEAREST
    )
    fetch_rows(connection, BARE_WORDS, user_id=user, text=text, limit=WITH_WORDS)


def read(user: UserId, text: str, vector: Vector) -> Reading:
    signs = np.random.default_rng(0).integers(256, size=(ASKED, BYTES_A_TOKEN), dtype=np.uint8)
    encoded = Encoded(vector=vector, token_signs=signs)
    asked_at = datetime.now(UTC)
    query = Query(user_id=user, text=text, asked_at=asked_at, model=MODEL, encoded=encoded)
    return Reading(query=query, question=read_question(query, Names()))


def _share_of_exact(connection: PgConnection, user: UserId, vector: Vector) -> float:
    """The share of the exact nearest that the planner's choice finds."""
    args: dict[str, Any] = {
        "user_id": user,
        "vector": HalfVector(vector).to_text(),
        "limit": COMPARED,
    }
    near = {tuple(row.values()) for row in fetch_rows(connection, BARE_MEANING, **args)}
    execute(connection, "SET LOCAL enable_indexscan = off")
    exact = {tuple(row.values()) for row in fetch_rows(connection, BARE_MEANING, **args)}
    execute(connection, "SET LOCAL enable_indexscan = on")
    return len(near & exact) / len(exact)


def _plan(connection: PgConnection, user: UserId, vector: Vector) -> str:
    """The index that the planner chose for the nearest."""
    args: dict[str, Any] = {
        "user_id": user,
        "vector": HalfVector(vector).to_text(),
        "limit": COMPARED,
    }
    rows = fetch_rows(connection, "EXPLAIN " + BARE_MEANING, **args)
    text = " ".join(line for row in rows for line in row.values())
    return str(re.findall(r"message_embeddings_\w+", text)[0])


if __name__ == "__main__":
    main()
