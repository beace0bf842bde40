"""The page finds what was said in another spelling, and marks it as it was written."""

from __future__ import annotations

import pytest

from tests.integration.spellings import OTHERS, SPELLINGS
from tests.integration.web.conftest import Browser
from tests.integration.web.searches import conversation, hits_of, search_messages, texts_of
from tests.integration.web.transfers import send


@pytest.mark.newcomers
@pytest.mark.parametrize(("message", "query"), SPELLINGS)
def test_the_page_finds_another_spelling_and_marks_it(
    browser: Browser, message: str, query: str
) -> None:
    send(browser, [conversation(text, id=str(n)) for n, text in enumerate([*OTHERS, message])])
    result = search_messages(browser, query)
    assert [each["match"] for each in result["messages"]] == ["exact"]
    assert texts_of(result) == [message.rstrip(".")] or texts_of(result) == [message]
    [hits] = hits_of(result)
    assert hits
    assert all(hit in message for hit in hits)
