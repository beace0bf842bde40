"""psycopg2 beside psycopg 3 on the statements of a round: `python -m bench.drivers`.

The statements of one round are recorded with their arguments, and run again in one transaction
that is rolled back, by each driver in turn. Prepared statements are off, as behind PgBouncer.
"pipeline" sends them without waiting for results, which a round cannot: it needs some results for
the next statement. So that row is a bound. psycopg 3 is installed with the peers of `bench.peers`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import psycopg2
from psycopg2.extras import Json, RealDictCursor

from bench.peers import run_with_peers
from bench.report import Figure, publish
from shared.db import statements
from shared.models import ConversationId, Outcome, UserId
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.settings import read_settings
from tests.services import as_application, running_services

BLOCKS = 40
ROUNDS = 10  # in a block
USER = UserId("measured")
IDENTITY = "SELECT set_config('throughline.user_id', %(user)s, true)"
Statement = tuple[str, dict[str, Any]]
Replay = Callable[[], None]


def main() -> None:
    if not find_spec("psycopg"):
        sys.exit(run_with_peers("bench.drivers"))
    with running_services(durable=True) as running, running.databases.copy() as url:
        application = as_application(url)
        recorded = record_round(application, running.valkey.url)
        with replays(application, recorded) as ways:
            publish("drivers", measure(ways, len(recorded)))


def record_round(database_url: str, redis_url: str) -> list[Statement]:
    """The statements of the fifth round of a conversation, the user's name before them."""
    services = Services(read_settings(database_url=database_url, redis_url=redis_url))
    conversation_id = None
    for _ in range(4):
        conversation_id = play(services, conversation_id)
    recorded: list[Statement] = []
    run = statements._run

    def note(connection: Any, cursor: Any, sql: Any, args: dict[str, Any]) -> None:
        recorded.append((sql, {name: _plain(value) for name, value in args.items()}))
        run(connection, cursor, sql, args)

    statements._run = note
    play(services, conversation_id)
    statements._run = run
    services.close()
    return [(IDENTITY, {"user": USER}), *recorded]


def play(services: Services, conversation_id: ConversationId | None) -> ConversationId:
    new = NewMessage(user_id=USER, text="I live in Berlin.", conversation_id=conversation_id)
    with services.database.transaction(user=USER) as connection:
        chat_round = open_round(connection, new, services.settings)
    outcome = Outcome(status="complete", content="Noted.", model="any", tokens_in=9, tokens_out=2)
    with services.database.transaction(user=USER) as connection:
        close_round(connection, chat_round.attempt, outcome, services.settings)
    return chat_round.conversation.conversation_id


@contextmanager
def replays(url: str, recorded: list[Statement]) -> Iterator[dict[str, Replay]]:
    import psycopg
    from psycopg.rows import dict_row

    old = psycopg2.connect(url, cursor_factory=RealDictCursor)
    bound = psycopg.connect(
        url, cursor_factory=psycopg.ClientCursor, row_factory=dict_row, prepare_threshold=None
    )
    new = psycopg.connect(url, row_factory=dict_row, prepare_threshold=None)

    def pipelined() -> None:
        with new.pipeline():
            cursors = [new.execute(sql, args) for sql, args in recorded]
        for cursor in cursors:
            if cursor.description:
                cursor.fetchall()
        new.rollback()

    try:
        yield {
            "psycopg2": lambda: one_by_one(old, recorded),
            "psycopg 3, bound by the client": lambda: one_by_one(bound, recorded),
            "psycopg 3, bound by the server": lambda: one_by_one(new, recorded),
            "psycopg 3, pipeline": pipelined,
        }
    finally:
        for connection in (old, bound, new):
            connection.close()


def one_by_one(connection: Any, recorded: list[Statement]) -> None:
    for sql, args in recorded:
        with connection.cursor() as cursor:
            cursor.execute(sql, args)
            if cursor.description:
                cursor.fetchall()
    connection.rollback()


def measure(ways: dict[str, Replay], statements: int) -> list[Figure]:
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    for block in range(BLOCKS + 1):
        for name, replay in ways.items():
            began, cpu_began = time.perf_counter(), time.process_time()
            for _ in range(ROUNDS):
                replay()
            if block:  # the first one warms up
                wall[name].append((time.perf_counter() - began) * 1000 / ROUNDS)
                cpu[name].append((time.process_time() - cpu_began) * 1000 / ROUNDS)
    return [
        Figure(
            name=f"{statements} statements of a round{what}, {name}",
            value=statistics.median(times[name]),
            unit="ms",
            beside="psycopg2",
            beside_value=statistics.median(times["psycopg2"]),
        )
        for name in ways
        if name != "psycopg2"
        for what, times in (("", wall), (", CPU of the client", cpu))
    ]


def _plain(value: Any) -> Any:
    return value.dumps(value.adapted) if isinstance(value, Json) else value


if __name__ == "__main__":
    main()
