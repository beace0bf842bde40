"""`GET /api/v1/conversations/{id}/messages`: a page from either end, or around a message."""

from __future__ import annotations

import pytest

from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, MakeBrowser

ROUNDS = 15  # messages 0 to 29
pytestmark = pytest.mark.shares_sites


@pytest.fixture(scope="module")
def path(make_shared_browser: MakeBrowser) -> str:
    browser = make_shared_browser()
    talk = Conversing(browser.context.services, browser.user_id)
    for _ in range(ROUNDS):
        talk.round()
    return f"/api/v1/conversations/{talk.conversation_id}/messages"


@pytest.mark.parametrize(
    ("query", "ends", "more"),
    [
        ("", (20, 29), (True, False)),
        ("&before=20", (10, 19), (True, True)),
        ("&before=4", (0, 3), (False, True)),
        ("&after=9", (10, 19), (True, True)),
        ("&after=25", (26, 29), (True, False)),
        ("&around=15", (11, 20), (True, True)),
        ("&around=0", (0, 5), (False, True)),
        ("&around=29", (25, 29), (True, False)),
        ("&around=5000", (25, 29), (True, False)),
    ],
)
def test_a_page_says_what_lies_on_either_side(
    browser: Browser, path: str, query: str, ends: tuple[int, int], more: tuple[bool, bool]
) -> None:
    page = browser.get(f"{path}?limit=10{query}")
    numbers = [message["sequence_number"] for message in page["messages"]]
    assert numbers == list(range(ends[0], ends[1] + 1))
    assert (page["has_more"], page["has_newer"]) == more


def test_after_the_last_there_is_nothing(browser: Browser, path: str) -> None:
    page = browser.get(f"{path}?after=29")
    assert (page["messages"], page["has_more"], page["has_newer"]) == ([], False, False)


@pytest.mark.parametrize("query", ["before=3&after=1", "after=x", "around=-1"])
def test_a_place_that_is_none_is_refused(browser: Browser, path: str, query: str) -> None:
    assert browser.client.get(f"{path}?{query}").status_code == 400
