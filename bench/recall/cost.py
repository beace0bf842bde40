"""What a search costs: `python -m bench.recall.cost [messages ...]` (1,000, 10,000, 100,000).

Users with so many messages are in one table, with `--others` more messages of users with a thousand
each. The product's search is compared with two indexed queries written by hand that fetch as many
candidates: the nearest ones, and those with any of the words. A second floor also reads what they
found by its keys, with the tokens' vectors, without which nothing can be ranked or quoted. They
take turns in going first, so that other load and cold pages fall on all. It also prints which share
of the exact nearest hundred the planner's choice finds, and which index it chose.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

import click
import numpy as np
from pgvector import HalfVector

from bench.harness.report import Figure, publish
from bench.harness.services import open_services
from bench.recall.rows import BYTES_A_TOKEN, DRAW_VECTORS, MODEL, WORDS, fill
from shared.db import PgConnection, Row, execute, fetch_rows
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
BARE_READ = """
    SELECT m.role, m.name, m.created_at, m.content, e.token_signs
    FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[])
         AS found (conversation_id, sequence_number)
    JOIN messages m USING (conversation_id, sequence_number)
    JOIN message_embeddings e USING (conversation_id, sequence_number)
    WHERE m.user_id = %(user_id)s
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
        fill(services, [*measured, *beside])
        publish(
            "cost",
            [figure for user, size in measured for figure in measure(services, user, size)],
        )


def user_of(size: int) -> UserId:
    return UserId(f"user-{size}")


def measure(services: Services, user: UserId, size: int) -> Iterator[Figure]:
    chance = random.Random(size)
    ours: list[float] = []
    bare: list[float] = []
    bare_read: list[float] = []
    shares: list[float] = []
    for number, vector in enumerate(draw_vectors(services, user)):
        text = " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(6))
        with services.database.transaction(user=user) as connection:
            search = partial(search_messages, connection, read(user, text, vector))
            if number % 2:
                ours.append(_time_ms(search))
            began = time.perf_counter()
            keys = _bare(connection, user, text, vector)
            bare.append((time.perf_counter() - began) * 1000)
            bare_read.append(bare[-1] + _time_ms(partial(_bare_read, connection, user, keys)))
            if number % 2 == 0:
                ours.append(_time_ms(search))
            shares.append(_share_of_exact(connection, user, vector))
            plan = _plan(connection, user, vector)
    print(
        f"{size:,} messages: {100 * statistics.fmean(shares):.0f}% of the exact nearest {COMPARED} "
        f"({plan})",
        flush=True,
    )
    floors = {"bare queries": bare, "the same, and their rows read": bare_read}
    for beside, times in floors.items():
        yield Figure(
            name=f"search in {size:,} messages",
            value=statistics.median(ours),
            unit="ms",
            beside=beside,
            beside_value=statistics.median(times),
        )


def _time_ms(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def draw_vectors(services: Services, user: UserId) -> list[Vector]:
    with services.database.transaction() as connection:
        rows = fetch_rows(connection, DRAW_VECTORS, user_id=user, count=TIMES)
    return [np.array(json.loads(row["vector"]), dtype=np.float32) for row in rows]


def _bare(
    connection: PgConnection, user: UserId, text: str, vector: Vector
) -> set[tuple[str, int]]:
    prepare_search(connection)
    near = _list_nearest(connection, user, vector, limit=NEAREST)
    worded = fetch_rows(connection, BARE_WORDS, user_id=user, text=text, limit=WITH_WORDS)
    return {(str(row["conversation_id"]), row["sequence_number"]) for row in (*near, *worded)}


def _bare_read(connection: PgConnection, user: UserId, keys: set[tuple[str, int]]) -> None:
    fetch_rows(
        connection,
        BARE_READ,
        user_id=user,
        conversations=[conversation_id for conversation_id, _ in keys],
        sequences=[sequence for _, sequence in keys],
    )


def read(user: UserId, text: str, vector: Vector) -> Reading:
    signs = np.random.default_rng(0).integers(256, size=(ASKED, BYTES_A_TOKEN), dtype=np.uint8)
    encoded = Encoded(vector=vector, token_signs=signs)
    asked_at = datetime.now(UTC)
    query = Query(user_id=user, text=text, asked_at=asked_at, model=MODEL, encoded=encoded)
    return Reading(query=query, question=read_question(query, Names()))


def _share_of_exact(connection: PgConnection, user: UserId, vector: Vector) -> float:
    """The share of the exact nearest that the planner's choice finds."""
    near = {tuple(row.values()) for row in _list_nearest(connection, user, vector)}
    execute(connection, "SET LOCAL enable_indexscan = off")
    exact = {tuple(row.values()) for row in _list_nearest(connection, user, vector)}
    execute(connection, "SET LOCAL enable_indexscan = on")
    return len(near & exact) / len(exact)


def _plan(connection: PgConnection, user: UserId, vector: Vector) -> str:
    """The index that the planner chose for the nearest."""
    rows = _list_nearest(connection, user, vector, "EXPLAIN ")
    text = " ".join(line for row in rows for line in row.values())
    return str(re.findall(r"message_embeddings_\w+", text)[0])


def _list_nearest(
    connection: PgConnection, user: UserId, vector: Vector, prefix: str = "", limit: int = COMPARED
) -> list[Row]:
    args = {"user_id": user, "vector": HalfVector(vector).to_text(), "limit": limit}
    return fetch_rows(connection, prefix + BARE_MEANING, **args)


if __name__ == "__main__":
    main()
