"""What was said is found in every spelling of its letters."""

from __future__ import annotations

import pytest

from shared.services import Services
from tests.integration.recall.test_messages import ask, say
from tests.integration.spellings import OTHERS, SPELLINGS


@pytest.mark.parametrize(("message", "query"), SPELLINGS)
def test_a_prompt_quotes_another_spelling(product: Services, message: str, query: str) -> None:
    for text in [*OTHERS, message]:
        say(product, text)
    assert [quote.text for quote in ask(product, f"{query}?")][:1] == [message]


@pytest.mark.parametrize("query", ["schon", "schön", "Schön"])
def test_the_spelling_that_was_asked_for_comes_first(product: Services, query: str) -> None:
    for text in [*OTHERS, "Es war schon so.", "Es war schön so."]:
        say(product, text)
    quotes = ask(product, f"{query}?")
    assert {quote.text for quote in quotes} == {"Es war schon so.", "Es war schön so."}
    assert query.lower() in max(quotes, key=lambda quote: quote.score).text
