"""What row-level security costs: `python -m bench.row_security [--messages 10000] [--blocks 60]`.

The database's part of a round, and a search, as the application's role, in blocks: with the
policies, without, with, and so on, so that other load falls on both. Without the policies the
transaction of a round also names no user. The search's words are looked up by a function in both,
so that function is compared with the query that it contains, as the owner.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

import click

from bench.recall_cost import draw_vectors, read
from bench.recall_rows import WORDS, fill
from shared.db import PgConnection, execute, fetch_rows
from shared.models import Outcome, UserId
from shared.recall.messages import search_messages
from shared.recall.query import Reading
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.settings import read_settings
from shared.store.search.candidates import prepare_search
from tests.services import as_application, running_services

USER = UserId("measured")
SIZE_OF_OTHERS = 1_000
ROUNDS = 10  # in one block
SEARCHES = 4
SWITCH = """
    SELECT format('ALTER TABLE %%I %(verb)s ROW LEVEL SECURITY', relname) AS statement
    FROM pg_class WHERE relforcerowsecurity ORDER BY relname
"""
INLINE = """
    SELECT conversation_id, sequence_number, length(words) FROM messages
    WHERE words @@ (quote_literal(owner_word(%(user_id)s))::tsquery && %(word)s::tsquery)
      AND user_id = %(user_id)s LIMIT 300
"""
BY_FUNCTION = "SELECT * FROM own_messages_containing(%(word)s::tsquery, NULL, 300)"


@click.command()
@click.option("--messages", default=10_000, help="Of the user who is measured.")
@click.option("--others", default=50_000, help="Messages of other users in the same tables.")
@click.option("--blocks", default=60, help="Pairs of blocks.")
def main(messages: int, others: int, blocks: int) -> None:
    with running_services() as running, running.databases.copy() as url:
        redis_url = running.valkey.url
        owner = Services(read_settings(database_url=url, redis_url=redis_url))
        fill(owner, [(USER, messages), *list_others(others)])
        application = Services(read_settings(database_url=as_application(url), redis_url=redis_url))
        readings = make_readings(owner)
        compare(owner, "round", blocks, partial(play, application, ROUNDS))
        compare(owner, "search", blocks, partial(search, application, readings))
        compare_function(owner, blocks)
        application.close()
        owner.close()


def list_others(messages: int) -> list[tuple[UserId, int]]:
    return [(UserId(f"other-{n}"), SIZE_OF_OTHERS) for n in range(messages // SIZE_OF_OTHERS)]


def make_readings(owner: Services) -> list[Reading]:
    chance = random.Random(0)
    return [
        read(USER, " ".join(f"word{int(WORDS ** chance.random())}" for _ in range(6)), vector)
        for vector in draw_vectors(owner, USER)[:SEARCHES]
    ]


def compare(
    owner: Services, name: str, blocks: int, work: Callable[[UserId | None], list[float]]
) -> None:
    """Print the medians of all pieces of work, with the policies and without."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for block in range(2 * blocks + 2):
        is_on = block % 2 == 0
        switch(owner, "ENABLE" if is_on else "DISABLE")
        measured = work(USER if is_on or name == "search" else None)
        if block >= 2:  # the first of each warms up
            times[is_on] += measured
    switch(owner, "ENABLE")
    report(name, times[True], times[False])


def report(name: str, with_it: Sequence[float], without: Sequence[float]) -> None:
    on, off = statistics.median(with_it), statistics.median(without)
    print(
        f"{name}: {off:.2f} ms without, {on:.2f} ms with: {100 * (on / off - 1):+.1f}%", flush=True
    )


def switch(owner: Services, verb: str) -> None:
    with owner.database.transaction() as connection:
        for row in fetch_rows(connection, SWITCH.replace("%(verb)s", verb)):
            execute(connection, row["statement"])


def play(services: Services, count: int, user: UserId | None) -> list[float]:
    """Milliseconds of each round: what it writes when it opens and when it closes."""
    times = []
    for number in range(count):
        new = NewMessage(
            user_id=USER,
            text=f"This is message {number}.",
            conversation_id=None,
            agent="general",
        )
        began = time.perf_counter()
        with services.database.transaction(user=user) as connection:
            chat_round = open_round(connection, new, services.settings)
        with services.database.transaction(user=user) as connection:
            outcome = Outcome(status="complete", content="Fine.")
            close_round(connection, chat_round.attempt, outcome, services.settings)
        times.append((time.perf_counter() - began) * 1000)
    return times


def search(services: Services, readings: Sequence[Reading], user: UserId | None) -> list[float]:
    times = []
    for reading in readings:
        began = time.perf_counter()
        with services.database.transaction(user=user) as connection:
            search_messages(connection, reading)
        times.append((time.perf_counter() - began) * 1000)
    return times


def compare_function(owner: Services, blocks: int) -> None:
    with owner.database.transaction(user=USER) as connection:
        prepare_search(connection)
        times_by_sql: dict[str, list[float]] = {INLINE: [], BY_FUNCTION: []}
        for number in range(50 * blocks):
            for sql, times in times_by_sql.items():
                times.append(time_query(connection, sql, f"word{number % 200 + 1}"))
    report("look-up of a word", times_by_sql[BY_FUNCTION], times_by_sql[INLINE])


def time_query(connection: PgConnection, sql: str, word: str) -> float:
    began = time.perf_counter()
    fetch_rows(connection, sql, user_id=USER, word=word)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
