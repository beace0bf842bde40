"""What a misspelt word costs: `python -m bench.typos_cost FOLDER`, of LoCoMo files.

Users with 1,000, 10,000 and 100,000 messages, which repeat LoCoMo's, once as they are and once with
ten of them joined into each. Measured is the cost of a word that no message contains and the model
does not know: with one error in a round, and with two in a search, which reads messages for it.
"""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.recall_data import read_chats
from bench.recall_rows import PER_CONVERSATION
from bench.recall_site import open_services
from bench.typing_errors import ERRORS
from migrations import upgrade
from shared.db import execute
from shared.models import Query, UserId
from shared.recall.query import read_query
from shared.recall.spelling import IsKnown, correct_spelling
from shared.services import Services

SIZES = (1_000, 10_000, 100_000)
JOINED = (1, 10)  # messages of LoCoMo in each message
WORDS = ("painting", "adoption", "tournament", "chocolate", "mountains", "basketball", "dancing")
TIMES = 30
CONVERSATIONS = """
    INSERT INTO conversations (user_id, agent, mode, last_sequence)
    SELECT %(user_id)s, 'general', 'active', %(last)s FROM generate_series(1, %(count)s)
"""
MESSAGES = """
    INSERT INTO messages (user_id, conversation_id, sequence_number, role, content, status)
    SELECT user_id, conversation_id, number,
           CASE number %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           said[1 + mod(number + %(per)s * row_number() OVER (PARTITION BY number),
                        cardinality(said))],
           'complete'
    FROM conversations, generate_series(0, %(last)s) AS number, (SELECT %(said)s::text[] AS said)
    WHERE user_id = %(user_id)s
"""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    messages = [
        message["content"]
        for chat in read_chats(folder)
        for session in chat.sessions
        for message in session["messages"]
    ]
    with open_services("", "") as services:
        upgrade(services.settings.database_url)
        for joined, size in itertools.product(JOINED, SIZES):
            user = UserId(f"user-{size}-{joined}")
            texts = [" ".join(messages[n : n + joined]) for n in range(0, len(messages), joined)]
            fill_user(services, user, size, texts)
            measure(services, user, f"{size:>7,} messages of {len(' '.join(texts)) // len(texts)}")


def fill_user(services: Services, user: UserId, size: int, texts: Sequence[str]) -> None:
    last, count = PER_CONVERSATION - 1, size // PER_CONVERSATION
    with services.database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "SET LOCAL session_replication_role = replica")  # no triggers
        execute(connection, "INSERT INTO users (user_id) VALUES (%(user_id)s)", user_id=user)
        execute(connection, CONVERSATIONS, user_id=user, last=last, count=count)
        execute(
            connection, MESSAGES, user_id=user, last=last, said=list(texts), per=PER_CONVERSATION
        )
        execute(connection, "ANALYZE")


def measure(services: Services, user: UserId, what: str) -> None:
    """The time that correction takes on top of reading the question."""
    chance, right = random.Random(0), [0, 0]
    rounds: list[float] = []
    searches: list[float] = []
    for _ in range(TIMES):
        word = chance.choice(WORDS)
        once = chance.choice(list(ERRORS.values()))(word, chance)
        twice = chance.choice(list(ERRORS.values()))(once, chance)
        plain = _read(services, user, once, lambda _: True)[0]
        for n, times, wrong in ((0, rounds, once), (1, searches, twice)):
            took, meant = _read(services, user, wrong, wrong.__ne__, is_thorough=n == 1)
            times.append(took - plain)
            right[n] += meant == [word]
    print(
        f"{what} characters: a round {_middle(rounds)}, {right[0]} of {TIMES} put right; "
        f"a search, two errors {_middle(searches)}, {right[1]} put right",
        flush=True,
    )


def _middle(times: Sequence[float]) -> str:
    return f"p50 {statistics.median(times):.1f} ms, at most {max(times):.1f}"


def _read(
    services: Services, user: UserId, word: str, is_known: IsKnown, *, is_thorough: bool = False
) -> tuple[float, list[str]]:
    """Milliseconds, and the words that were put in."""
    text = f"What did I say about {word}?"
    query = Query(user_id=user, text=text, asked_at=datetime.now(UTC))
    with services.database.transaction(user=user) as connection:
        began = time.perf_counter()
        as_typed = read_query(connection, query)
        reading = correct_spelling(connection, as_typed, is_known, is_thorough=is_thorough)
        return (time.perf_counter() - began) * 1000, list(reading.corrections.values())


if __name__ == "__main__":
    main()
