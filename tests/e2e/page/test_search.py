"""The search box above the conversations."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_episodes import BOAT, talk
from tests.e2e.site import Site


def search_box(chat: ChatPage) -> Locator:
    return chat.page.get_by_label("Search everything said")


def test_a_hit_leads_to_its_message(open_page: OpenPage, scripted_site: Site) -> None:
    first = scripted_site.chat("The lighthouse of Ouessant.")["conversation_id"]
    for number in range(3):
        scripted_site.chat(f"Filling {number}.\n" + "and so on\n" * 12, first)
    chat = open_page(scripted_site.url)
    search_box(chat).fill("Ouessant")
    hits = chat.page.locator(".hit")
    expect(hits).to_have_count(1)
    expect(hits.locator("mark")).to_have_text("Ouessant")
    expect(chat.page.get_by_text("1 place found")).to_be_visible()
    hits.click()
    expect(chat.page).to_have_url(f"{scripted_site.url}/c/{first}#0")
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()
    expect(chat.questions.first).to_be_in_viewport()


def test_episodes_are_found_too(open_page: OpenPage, memory_site: Site) -> None:
    talk(memory_site, BOAT)
    chat = open_page(memory_site.url)
    search_box(chat).fill("Albatross")
    expect(chat.page.get_by_role("heading", name="Messages", exact=True)).to_be_visible()
    found = chat.page.locator("#hits section").filter(has_text="Messages 0–1")
    expect(found.get_by_role("heading", name="Episodes")).to_be_visible()


def test_escape_brings_the_conversations_back(chat: ChatPage) -> None:
    chat.ask("A thing in the list.")
    listed = chat.page.get_by_role("link", name="A thing in the list.").first
    search_box(chat).fill("nowhere to be found")
    expect(chat.page.get_by_text("0 places found")).to_be_visible()
    expect(listed).to_be_hidden()
    search_box(chat).press("Escape")
    expect(listed).to_be_visible()
    expect(search_box(chat)).to_have_value("")


def test_what_was_said_is_shown_as_text_only(open_page: OpenPage, scripted_site: Site) -> None:
    scripted_site.chat("Quibble <img src=x onerror='window.harmed = true'> here.")
    chat = open_page(scripted_site.url)
    search_box(chat).fill("Quibble")
    expect(chat.page.locator(".hit").first).to_contain_text("Quibble")
    expect(chat.page.locator(".hit img")).to_have_count(0)
    assert chat.page.evaluate("window.harmed") is None


def test_a_typing_error_is_told_and_forgiven(open_page: OpenPage, scripted_site: Site) -> None:
    scripted_site.chat("The lighthouse of Kermorvan.")
    chat = open_page(scripted_site.url)
    search_box(chat).fill("Kermrovan")
    expect(chat.page.locator("#found-count")).to_have_text(
        "Nothing says “kermrovan”. Showing what says “kermorvan”. 1 place found"
    )
    expect(chat.page.locator(".hit mark")).to_have_text("Kermorvan")


def test_a_search_that_was_cut_off_says_so(chat: ChatPage) -> None:
    body = json.dumps({"corrected": {}, "incomplete": True, "messages": [], "episodes": []})
    headers = {"Content-Type": "application/json"}
    chat.page.route("**/api/search?*", lambda route: route.fulfill(headers=headers, body=body))
    search_box(chat).fill("anything")
    expect(chat.page.get_by_text("0 places found Looking for more took too long")).to_be_visible()
