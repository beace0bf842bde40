"""What a round asks of Postgres and Redis, counted on the wire.

Whoever adds a query, a transaction or a command to a round raises a number here, knowingly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from shared.llm import model_catalog
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.web.conftest import DRAIN_S, Browser, make_browser
from tests.integration.wire import SentQueries, watched_redis

__all__ = ["make_browser", "openai_server"]

ROUNDS_BEFORE = 12  # all kinds of jobs have been claimed by then
TRIES = 3  # a lease may be renewed meanwhile
MOST_QUERIES = 28  # each is a round trip
MOST_TRANSACTIONS = 4  # the opening, two of recall, the closing; one more for files
MOST_COMMANDS = 12


@pytest.fixture
def talking(
    watched: SentQueries,
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[], None]]:
    """Plays a round, in a conversation that has had some, to the end of its last step."""
    browser = make_browser(
        database_url=watched.url,
        llm_model=FAKE_MODEL,
        llm_api_base=openai_server.base_url,
        llm_api_key="sk-test-key",
    )
    # Once in some seconds a process reads which models there are. This is no round's.
    monkeypatch.setattr(model_catalog, "CHECK_EVERY_S", 3600.0)
    browser.context.services.models.refresh()
    first = browser.chat("I bought a boat near the lake.").get_json()

    def play() -> None:
        events = browser.stream("What did I buy?", conversation_id=first["conversation_id"])
        assert [name for name, _ in events][-1] == "done"
        browser.context.runner.drain(DRAIN_S)

    for _ in range(ROUNDS_BEFORE):
        play()
    yield play
    browser.context.services.close()  # before the door to Postgres is shut


def test_a_round_asks_no_more_of_postgres(
    watched: SentQueries, talking: Callable[[], None]
) -> None:
    counts = []
    for _ in range(TRIES):
        watched.queries.clear()
        talking()
        ended = [query for query in watched.queries if query.endswith("COMMIT")]
        counts.append((len(watched.queries), len(ended)))
    assert min(counts) <= (MOST_QUERIES, MOST_TRANSACTIONS), watched.queries
    assert min(ended for _, ended in counts) <= MOST_TRANSACTIONS, watched.queries


def test_a_round_asks_no_more_of_redis(redis_url: str, talking: Callable[[], None]) -> None:
    counts = []
    for _ in range(TRIES):
        with watched_redis(redis_url) as commands:
            talking()
        counts.append(len(commands))
    assert min(counts) <= MOST_COMMANDS, commands
