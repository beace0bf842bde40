"""The panel: facts first, and how memory works below, folded as the reader left it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import NOTHING
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_episodes import BOAT, talk
from tests.e2e.site import Site


def test_how_it_works_shows_what_is_in_episodes_and_stays_as_the_reader_left_it(
    open_page: OpenPage, memory_site: Site
) -> None:
    conversation_id = talk(memory_site, BOAT)
    path = f"/api/v1/conversations/{conversation_id}/summaries"
    assert memory_site.get(path)["episodes"] == [{"start": 0, "end": 1}]
    chat = open_page(memory_site.url, path=NOTHING)
    memory = memory_site.get(path) | {"window_start": 3, "summary_end": 3}
    chat.route(f"**{path}*", lambda route: route.fulfill(json=memory))
    chat.open(f"/c/{conversation_id}")
    coverage = chat.panel.get_by_role("heading", name="How each message is remembered")
    expect(chat.panel.get_by_role("heading").nth(1)).to_have_text("Facts about you")
    expect(coverage).to_be_hidden()
    chat.panel.get_by_text("How it works").press("Enter")
    expect(coverage).to_be_visible()
    expect(chat.panel.locator(".legend li")).to_have_text(
        [
            "In earlier talks, which are found again: 2",
            "Found again by search: 1",
            "In the summary: 1",
        ]
    )
    expect(chat.panel.locator(".strip .is-episode")).to_have_count(2)
    chat.page.reload()
    expect(coverage).to_be_visible()
    chat.panel.get_by_text("How it works").click()
    expect(coverage).to_be_hidden()
    chat.page.reload()
    expect(chat.panel.get_by_text("How it works")).to_be_visible()
    expect(coverage).to_be_hidden()
