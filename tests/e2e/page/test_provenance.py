"""The line under a reply that says what was remembered for it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_episodes import BOAT, talk
from tests.e2e.site import Site

# Of messages like this the prompt holds one word for word, and the summary speaks for the others.
LONG = " The path goes on beside the water." * 250


def test_a_reply_tells_what_it_was_given(open_page: OpenPage, memory_site: Site) -> None:
    boat = talk(memory_site, BOAT)
    memory_site.post("/api/v1/facts", {"category": "identity", "key": "name", "value": "Ada"})
    chat = open_page(memory_site.url)
    chat.ask("What do you know of my boat Albatross?")
    line = chat.replies.last.get_by_text(re.compile(r"Used from memory: \d facts?, 1 earlier talk"))
    line.click()
    details = chat.replies.last.locator(".provenance-body")
    expect(details.get_by_role("listitem").filter(has_text="Ada")).to_have_text("Your name is Ada")
    expect(details.get_by_role("link", name="in “").first).to_have_attribute("href", f"/c/{boat}#0")
    expect(details.locator(".cost")).to_be_hidden()
    details.get_by_text("Numbers").click()
    expect(details).to_contain_text(re.compile(r"\d+ of 8,000 tokens\."))
    expect(details).to_contain_text(re.compile(r"Time: .*facts \d+ ms"))
    expect(details.locator(".cost")).to_contain_text(re.compile(r"Model.*Whole reply\s*\d+"))
    details.get_by_role("link", name="0–1").click()
    expect(chat.page).to_have_url(f"{memory_site.url}/c/{boat}#0")


def test_without_a_memory_the_line_has_the_details_alone_and_it_is_there_after_a_reload(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    chat.ask("How do tides work?")
    chat.ask("And why twice a day?")
    expect(chat.replies.locator(".provenance > summary")).to_have_text(["Details", "Details"])
    expect(chat.replies.get_by_text("Used from memory:")).to_have_count(0)
    chat.page.get_by_role("link", name="New chat").click()
    for message in ("I am Ada.", "I like long walks.", "Along the river."):
        chat.ask(message + LONG)
    chat.unfold()
    expect(chat.panel.locator(".summary .point").first).to_be_visible(timeout=WORK_MS)
    chat.ask("What do I like?")
    chat.page.reload()
    line = chat.replies.last.get_by_text(re.compile("Used from memory: .*the summary"))
    line.click()
    expect(chat.replies.last).to_contain_text(re.compile(r"From the summary: \d points?\."))
