"""What a search costs: `python -m bench.recall_cost [messages ...]` (1,000, 10,000, 100,000).

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click
import numpy as np
from pgvector import HalfVector

from bench.recall_rows import BYTES_A_TOKEN, DRAW_VECTORS, MODEL, WORDS, fill
from bench.recall_site import open_services
from bench.report import Figure, publish
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
BARE_READ = """
    SELECT m.role, m.name, m.created_at, m.content, e.token_signs
    FROM unnest(%(conversations)s::uuid[], %(sequences)s::integer[])
         AS found (conversation_id, sequence_number)
    JOIN messages m USING (conversation_id, sequence_number)
    JOIN message_embeddings e USING (conversation_id, sequence_number)
    WHERE m.user_id = %(user_id)s
"""


@dataclass(frozen=True, kw_only=True)
class Times:
    """What one question took, in milliseconds."""

    candidates_ms: float
    read_ms: float
    search_ms: float


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
        publish(
            "recall_cost",
            [figure for user, size in measured for figure in measure(services, user, size)],
        )


def user_of(size: int) -> UserId:
    return UserId(f"user-{size}")


def measure(services: Services, user: UserId, size: int) -> list[Figure]:
    chance = random.Random(size)
    times: list[Times] = []
    shares: list[float] = []
    for number, vector in enumerate(draw_vectors(services, user)):
        text = " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(6))
        with services.database.transaction(user=user) as connection:
            times.append(
                _measure_once(connection, user, text, vector, is_ours_first=number % 2 == 0)
            )
            shares.append(_share_of_exact(connection, user, vector))
            plan = _plan(connection, user, vector)
    print(
        f"{size:,} messages: {100 * statistics.fmean(shares):.0f}% of the exact nearest {COMPARED} "
        f"({plan})",
        flush=True,
    )
    search_ms = statistics.median(each.search_ms for each in times)
    return [
        Figure(
            name=f"search in {size:,} messages",
            value=search_ms,
            unit="ms",
            beside="bare queries",
            beside_value=statistics.median(each.candidates_ms for each in times),
        ),
        Figure(
            name=f"search in {size:,} messages",
            value=search_ms,
            unit="ms",
            beside="the same, and their rows read",
            beside_value=statistics.median(each.candidates_ms + each.read_ms for each in times),
        ),
    ]


def _measure_once(
    connection: PgConnection, user: UserId, text: str, vector: Vector, *, is_ours_first: bool
) -> Times:
    reading = read(user, text, vector)
    ours_ms = _time_ms(lambda: search_messages(connection, reading)) if is_ours_first else 0.0
    began = time.perf_counter()
    keys = _bare(connection, user, text, vector)
    found_at = time.perf_counter()
    _bare_read(connection, user, keys)
    done = time.perf_counter()
    return Times(
        candidates_ms=(found_at - began) * 1000,
        read_ms=(done - found_at) * 1000,
        search_ms=ours_ms or _time_ms(lambda: search_messages(connection, reading)),
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
    near = fetch_rows(
        connection, BARE_MEANING, user_id=user, vector=HalfVector(vector).to_text(), limit=NEAREST
    )
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
