"""A question about the whole time is given a line of each message of the user about it."""

from __future__ import annotations

import io
import json

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


def grow(product: Services) -> None:
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


def quoted(services: Services, text: str) -> list[Quote]:
    with services.database.transaction(user=USER) as connection:
        result = search_messages(connection, read_query(connection, make_query(text, USER)))
        relevant = choose_relevant(result.ranked, result.criteria)
        return choose_quotes(connection, USER, relevant, result)


def test_the_whole_is_told_in_many_short_lines_and_all_else_in_few_long_ones(
    product: Services,
) -> None:
    grow(product)
    whole = quoted(product, "Summarize how my garden with the beans developed over time.")
    assert len({quote.said_at for quote in whole}) == ROUNDS
    assert {quote.role for quote in whole} == {"user"}
    assert max(len(quote.text) for quote in whole) <= LINE_CHARS + len("……")

    other = quoted(product, "Which row of beans is in my garden?")
    assert "assistant" in {quote.role for quote in other}
    assert max(len(quote.text) for quote in other) > LINE_CHARS

    reply = quoted(product, "In which order did you tell me about the garden?")
    assert "assistant" in {quote.role for quote in reply}
