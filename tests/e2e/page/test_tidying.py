"""The panel's tidying: by hand, on all processes, and taken back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site


def know_twice(site: Site) -> None:
    """The same car under two keys."""
    site.post("/api/v1/facts", {"category": "identity", "key": "car", "value": "Skoda"})
    other = site.post("/api/v1/facts", {"category": "identity", "key": "pet", "value": "Skoda"})
    site.patch(f"/api/v1/facts/{other['fact_id']}", {"key": "vehicle"})


def test_the_same_thing_becomes_one_fact_and_two_again(
    open_page: OpenPage, memory_site: Site
) -> None:
    know_twice(memory_site)
    chat = open_page(memory_site.url)
    chat.ask("Good morning.")
    expect(chat.facts).to_have_count(2)
    tidying = chat.panel.locator("#tidying")
    tidying.locator("summary").click()
    expect(tidying).to_contain_text("Nothing has been tidied yet.")
    chat.button("Tidy up").click()
    expect(tidying.locator("li")).to_contain_text("joined with", timeout=WORK_MS)
    expect(chat.facts).to_have_count(1)
    tidying.get_by_role("button", name="Undo").click()
    expect(chat.facts).to_have_count(2)
    expect(tidying.locator("li")).to_have_count(0)
    expect(tidying).to_contain_text("There was nothing to tidy.")
