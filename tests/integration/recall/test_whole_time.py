"""A question about the whole time is given a line of each message of the user about it."""

from __future__ import annotations

import io
import json

import pytest

from shared.models import Quote
from shared.policy.quoting import LINE_CHARS
from shared.policy.ranking.relevance import choose_relevant
from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.recall.quotes import choose_quotes
from shared.services import Services
from shared.user_data.imports.importer import import_file
from tests.asking import make_query
from tests.embedding import embed_pending
from tests.integration.conversing import USER

ROUNDS = 25


@pytest.fixture
def grown(product: Services) -> Services:
    """Chats of many days about a garden, with long replies."""
    chats = [
        {
            "title": f"Garden {number}",
            "messages": [
                {
                    "role": "user",
                    "content": f"In my garden I planted row {number} of beans. {'It rains. ' * 30}",
                    "created_at": f"2026-03-{number + 1:02}T10:00:00Z",
                },
                {"role": "assistant", "content": f"A garden needs beans {number}. " * 60},
            ],
        }
        for number in range(ROUNDS)
    ]
    assert import_file(product, USER, io.BytesIO(json.dumps(chats).encode())).status == "done"
    embed_pending(product)
    return product


def quoted(services: Services, text: str) -> list[Quote]:
    with services.database.transaction(user=USER) as connection:
        result = search_messages(connection, read_query(connection, make_query(text, USER)))
        relevant = choose_relevant(result.ranked, result.criteria)
        return choose_quotes(connection, USER, relevant, result.ranked, result.criteria)


def test_many_short_lines_of_the_users_own_words(grown: Services) -> None:
    quotes = quoted(grown, "Summarize how my garden with the beans developed over time.")
    assert len({quote.said_at for quote in quotes}) == ROUNDS
    assert {quote.role for quote in quotes} == {"user"}
    assert max(len(quote.text) for quote in quotes) <= LINE_CHARS + len("……")


def test_any_other_question_is_given_replies_and_more_of_each(grown: Services) -> None:
    quotes = quoted(grown, "Which row of beans is in my garden?")
    assert "assistant" in {quote.role for quote in quotes}
    assert max(len(quote.text) for quote in quotes) > LINE_CHARS


def test_what_the_assistant_said_is_not_left_out_where_it_is_asked_for(grown: Services) -> None:
    quotes = quoted(grown, "In which order did you tell me about the garden?")
    assert "assistant" in {quote.role for quote in quotes}
