"""What a job of facts and the vectors of a round ask of Postgres, counted on the wire.

Whoever adds a query to them raises a number here, knowingly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from shared.services import Services
from tests.embedding import embed_pending
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, extract
from tests.integration.wire import SentQueries
from tests.services import MakeSettings

TRIES = 3  # a lease may be renewed meanwhile
# One fact takes the place of another; the last asks whether a tidying is due. Two ask for the
# memory that the chat is in: it may be moved while the model answers.
MOST_OF_FACTS = 27
MOST_WITHOUT_FACTS = 20  # none is learned
MOST_OF_VECTORS = 13  # two messages; the last five find that nothing is left to do


@pytest.fixture
def counted(watched: SentQueries, make_settings: MakeSettings) -> Iterator[Conversing]:
    services = Services(make_settings(database_url=watched.url))
    yield Conversing(services)
    services.close()


def fewest(watched: SentQueries, messages: Sequence[str], work: Callable[[str], None]) -> int:
    """How many queries `work` after each of the messages takes at least."""
    counts = []
    for message in messages:
        work(message)
        counts.append(len(watched.queries))
    return min(counts)


def test_a_job_of_facts_asks_no_more(watched: SentQueries, counted: Conversing) -> None:
    def learn(message: str) -> None:
        counted.round(message)
        watched.queries.clear()
        extract(counted)

    cities = [f"I live in {city}." for city in ("Oslo", "Berlin", "Lisbon")]
    assert fewest(watched, cities, learn) <= MOST_OF_FACTS, watched.queries
    assert active(counted) == {"home_city": "Lisbon"}
    assert fewest(watched, ["What is tea?"] * TRIES, learn) <= MOST_WITHOUT_FACTS, watched.queries


def test_the_vectors_of_a_round_ask_no_more(watched: SentQueries, counted: Conversing) -> None:
    def embed(message: str) -> None:
        counted.round(message)
        watched.queries.clear()
        assert embed_pending(counted.services) == 2

    messages = ["I bought a boat near the lake."] * TRIES
    assert fewest(watched, messages, embed) <= MOST_OF_VECTORS, watched.queries
