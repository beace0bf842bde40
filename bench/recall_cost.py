"""What a search costs: `python -m bench.recall_cost [messages ...]` (1,000, 10,000, 100,000).

Users of these sizes in one table, with made-up rows: random vectors, words by Zipf's law. The
product's whole search is measured beside the bare indexed queries that it cannot do without: the
nearest hundred by meaning and a hundred by words, as one would write them by hand.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
from pgvector import HalfVector

from bench.recall_site import open_services
from shared.db import PgConnection, execute, fetch_rows
from shared.models import UserId
from shared.policy.ranking.question import Question, read_question
from shared.recollecting import recollect
from shared.services import Services
from shared.store.passages import prepare_search

SIZES = (1_000, 10_000, 100_000)
TIMES = 20
PER_CONVERSATION = 40
WORDS = 20_000
MODEL = "made-up"
BATCH = 1_000

CONVERSATIONS = """
    INSERT INTO conversations (user_id, agent, mode, last_sequence)
    SELECT %(user_id)s, 'general', 'active', %(last)s FROM generate_series(1, %(count)s)
"""
MESSAGES = """
    INSERT INTO messages (conversation_id, sequence_number, role, content, status)
    SELECT conversation_id, number, CASE number %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           (SELECT string_agg('word' || floor(%(words)s ^ random())::integer, ' ')
            FROM generate_series(1, 20) WHERE number >= 0 AND conversation_id IS NOT NULL),
           'complete'
    FROM conversations, generate_series(0, %(last)s) AS number WHERE user_id = %(user_id)s
"""
VECTORS = """
    INSERT INTO message_embeddings
    SELECT user_id, conversation_id, sequence_number, given.vector, %(model)s
    FROM (SELECT *, row_number() OVER () AS place FROM messages
          WHERE user_id = %(user_id)s
          ORDER BY conversation_id, sequence_number OFFSET %(offset)s LIMIT %(limit)s) AS said
    JOIN unnest(%(vectors)s::halfvec[]) WITH ORDINALITY AS given (vector, place) USING (place)
"""
BARE_MEANING = """
    SELECT conversation_id, sequence_number FROM message_embeddings
    WHERE user_id = %(user_id)s ORDER BY embedding <=> %(vector)s::halfvec LIMIT 100
"""
BARE_WORDS = """
    SELECT conversation_id, sequence_number FROM messages
    WHERE words @@ (quote_literal(owner_word(%(user_id)s))::tsquery
                    && replace(plainto_tsquery('english', %(text)s)::text, '&', '|')::tsquery)
    ORDER BY ts_rank(words, plainto_tsquery('english', %(text)s)) DESC LIMIT 100
"""


def main() -> None:
    sizes = [int(one) for one in sys.argv[1:]] or list(SIZES)
    with open_services("", "") as services:
        with services.database.transaction() as connection:
            execute(connection, "SET LOCAL statement_timeout = 0")
            execute(connection, "DROP INDEX message_embeddings_nearest")
        for size in sizes:
            fill_user(services, size)
        began = time.perf_counter()
        finish(services)
        print(f"{sum(sizes):,} rows, HNSW built in {time.perf_counter() - began:.0f} s")
        for size in sizes:
            measure(services, size)


def user_of(size: int) -> UserId:
    return UserId(f"user-{size}")


def fill_user(services: Services, size: int) -> None:
    user, last = user_of(size), PER_CONVERSATION - 1
    with services.database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "INSERT INTO users VALUES (%(u)s, now(), %(n)s)", u=user, n=size // 2)
        count = size // PER_CONVERSATION
        execute(connection, CONVERSATIONS, user_id=user, last=last, count=count)
        execute(connection, MESSAGES, user_id=user, last=last, words=WORDS)
        execute(connection, "DELETE FROM unembedded_messages")
        for offset in range(0, size, BATCH):
            vectors = [HalfVector(row).to_text() for row in _vectors(BATCH)]
            execute(
                connection, VECTORS, user_id=user, model=MODEL, offset=offset, limit=BATCH,
                vectors=vectors,
            )  # fmt: skip


def finish(services: Services) -> None:
    with services.database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "SET LOCAL maintenance_work_mem = '1GB'")
        execute(
            connection,
            "CREATE INDEX message_embeddings_nearest ON message_embeddings "
            "USING hnsw (embedding halfvec_cosine_ops)",
        )
        execute(connection, "ANALYZE")


def measure(services: Services, size: int) -> None:
    user = user_of(size)
    chance = random.Random(size)
    bare: list[float] = []
    ours: list[float] = []
    found: list[float] = []
    for vector in _vectors(TIMES):
        text = " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(6))
        question = read_question(text, [], datetime.now(UTC).date())
        with services.database.transaction() as connection:
            bare.append(_ms(lambda c=connection, t=text, v=vector: _bare(c, user, t, v)))
            ours.append(_ms(lambda c=connection, q=question, v=vector: _ours(c, user, q, v)))
            found.append(_share_of_exact(connection, user, vector))
    ratio = statistics.median(ours) / statistics.median(bare)
    print(
        f"{size:>9,} messages: bare p50 {statistics.median(bare):6.1f} ms, "
        f"search {statistics.median(ours):6.1f} ms, {ratio:.1f} x, "
        f"{100 * statistics.fmean(found):.0f}% of the exact nearest 100",
        flush=True,
    )


def _bare(connection: PgConnection, user: UserId, text: str, vector: Any) -> None:
    prepare_search(connection)
    fetch_rows(connection, BARE_MEANING, user_id=user, vector=HalfVector(vector).to_text())
    fetch_rows(connection, BARE_WORDS, user_id=user, text=text)


def _ours(connection: PgConnection, user: UserId, question: Question, vector: Any) -> None:
    recollect(connection, user, question, vector, MODEL, is_said=False)


def _share_of_exact(connection: PgConnection, user: UserId, vector: Any) -> float:
    """Of what a plain sort finds, how much the planner's choice does."""
    args = {"user_id": user, "vector": HalfVector(vector).to_text()}
    near = {tuple(row.values()) for row in fetch_rows(connection, BARE_MEANING, **args)}
    execute(connection, "SET LOCAL enable_indexscan = off")
    exact = {tuple(row.values()) for row in fetch_rows(connection, BARE_MEANING, **args)}
    execute(connection, "SET LOCAL enable_indexscan = on")
    return len(near & exact) / len(exact)


def _ms(call: Callable[[], None]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _vectors(count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """About a few hundred subjects, as what people say is: pure noise has no neighbours."""
    chance = np.random.default_rng(7)
    subjects = chance.standard_normal((300, 384))
    own = np.random.default_rng().standard_normal((count, 384))
    picked = subjects[np.random.default_rng().integers(0, 300, count)]
    return (picked + own).astype(np.float32)


if __name__ == "__main__":
    main()
