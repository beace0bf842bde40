"""The palette, which finds chats, facts, messages and commands."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.axe import LOOKS, find_in_looks
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_episodes import BOAT, talk
from tests.e2e.site import Site

NOTHING: dict[str, object] = {
    "corrected": {}, "incomplete": True, "messages": [], "episodes": [], "conversations": [],
    "facts": [],
}  # fmt: skip


def search_box(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("combobox", name="Search everything said")


def search(chat: ChatPage, query: str) -> Locator:
    """Open the palette and search. Returns the options."""
    if not search_box(chat).is_visible():
        expect(chat.page.locator("#model")).not_to_be_empty()  # the page's keys work by then
        chat.page.keyboard.press("Control+k")
    search_box(chat).fill(query)
    return chat.page.locator(".palette [role=option]")


def group(chat: ChatPage, name: str) -> Locator:
    return chat.page.get_by_role("group", name=name)


def test_what_was_said_is_found_told_from_what_is_related_and_shown_as_text_only(
    open_page: OpenPage, scripted_site: Site
) -> None:
    first = scripted_site.chat("The lighthouse of Ouessant.")["conversation_id"]
    for number in range(3):
        scripted_site.chat(f"Filling {number}.\n" + "and so on\n" * 12, first)
    scripted_site.chat("Quibble <img src=x onerror='window.harmed = true'> here.")
    chat = open_page(scripted_site.url)
    search(chat, "Ouessant")
    hits = group(chat, "Messages (1)").get_by_role("option")
    expect(hits).to_have_count(1)
    expect(hits.locator("mark")).to_have_text("Ouessant")
    expect(chat.page.locator(".palette-status")).to_contain_text(re.compile(r"^[12] places? found"))
    look_whether_the_palette_fits(chat)
    hits.click()
    expect(chat.page).to_have_url(f"{scripted_site.url}/c/{first}#0")
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()
    expect(chat.questions.first).to_be_in_viewport()
    options = search(chat, "Quibble")
    expect(group(chat, "Messages (").get_by_role("option").first).to_contain_text("Quibble")
    expect(options.locator("img")).to_have_count(0)
    assert chat.page.evaluate("window.harmed") is None
    search(chat, "Ouesasnt")
    expect(chat.page.locator(".palette-status")).to_contain_text(
        "Nothing says “ouesasnt”. Showing what says “ouessant”."
    )
    expect(group(chat, "Messages (").locator("mark")).to_have_text("Ouessant")


def look_whether_the_palette_fits(chat: ChatPage) -> None:
    inside = "node => node.scrollWidth <= node.clientWidth && innerWidth >= node.offsetWidth"
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert chat.page.locator(".palette").evaluate(inside)
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings


def test_titles_facts_and_episodes_are_found(open_page: OpenPage, memory_site: Site) -> None:
    conversation = talk(memory_site, BOAT)
    memory_site.post(
        "/api/v1/facts", {"category": "preference", "key": "favourite_boat", "value": "Albatross"}
    )
    chat = open_page(memory_site.url)
    search(chat, "Albatross")
    expect(group(chat, "Messages (")).not_to_have_count(0)
    expect(group(chat, "Earlier talks (")).to_contain_text("Messages 0–1")
    fact = group(chat, "Facts about you (").get_by_role("option")
    fact = fact.filter(has_text="Your favourite boat is Albatross")
    fact.click()
    row = chat.panel.locator(".fact").filter(has_text="Your favourite boat is Albatross")
    expect(row.locator("summary")).to_be_focused()
    expect(row.get_by_role("button", name="Delete")).to_be_visible()
    title = memory_site.get("/api/v1/conversations")["conversations"][0]["title"]
    search(chat, title or "boat")
    group(chat, "Chats (").get_by_role("option").first.click()
    expect(chat.page).to_have_url(f"{memory_site.url}/c/{conversation}")


def test_what_was_moved_to_stays_selected_and_a_search_may_be_limited(
    open_page: OpenPage, scripted_site: Site
) -> None:
    for title in ("Guillemot", "Guillemot colonies", "A guillemot at sea"):
        scripted_site.chat(title)
    chat = open_page(scripted_site.url)
    expect(chat.page.get_by_role("link", name="A guillemot at sea")).to_be_visible()
    look_at_the_order_of_titles(chat)
    chat.page.get_by_role("link", name="New chat").click()
    chat.ask("The first heron of spring.")
    chat.page.get_by_role("link", name="New chat").click()
    listed = chat.page.locator("#conversations")
    expect(listed.get_by_role("link", name="The first heron of spring.").first).to_be_visible()
    look_at_the_arrow_keys(chat)
    hits = group(chat, "Messages (")
    search(chat, "heron")
    expect(hits).to_have_count(1)
    chat.page.get_by_label("Who said it", exact=True).select_option("Replies")
    expect(hits.filter(has_text="heron of spring")).to_have_count(0)
    chat.page.get_by_label("Who said it", exact=True).select_option("You")
    chat.page.get_by_label("Where", exact=True).select_option("This chat")
    chat.page.get_by_label("When", exact=True).select_option("Today")
    expect(hits.filter(has_text="heron of spring")).to_have_count(1)
    chat.page.get_by_label("When", exact=True).select_option("Dates …")
    chat.page.get_by_label("To", exact=True).fill("2001-01-01")
    expect(hits).to_have_count(0)


def look_at_the_order_of_titles(chat: ChatPage) -> None:
    """The closest one is first, and what was moved to stays selected when the answer comes."""
    routes: list[Route] = []
    chat.route("**/api/v1/search?*", lambda route: routes.append(route))  # noqa: PLW0108
    with chat.page.expect_request("**/api/v1/search?*"):
        search(chat, "guillemot")
    options = group(chat, "Chats").get_by_role("option")
    expect(options).to_have_text(["Guillemot", "Guillemot colonies", "A guillemot at sea"])
    for _ in range(2):
        search_box(chat).press("ArrowDown")
    chat.await_held(routes).continue_()
    chat.page.unroute("**/api/v1/search?*")
    expect(chat.page.locator(".palette-status")).to_contain_text("places found")
    hits = group(chat, "Chats (3)").get_by_role("option")
    expect(hits).to_have_text(["Guillemot", "Guillemot colonies", "A guillemot at sea"])
    expect(hits.last).to_have_attribute("aria-selected", "true")
    search_box(chat).press("Enter")
    expect(chat.questions).to_have_text("A guillemot at sea")


def look_at_the_arrow_keys(chat: ChatPage) -> None:
    """They choose, and Enter opens."""
    options = search(chat, "")
    expect(options.first).to_have_text("The first heron of spring.")
    expect(options.first).to_have_attribute("aria-selected", "true")
    search_box(chat).press("ArrowUp")  # from the first to the last
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(search_box(chat)).to_have_attribute(
        "aria-activedescendant", options.last.get_attribute("id") or "none"
    )
    search_box(chat).press("ArrowDown")
    search_box(chat).press("Enter")
    expect(chat.page).to_have_url(re.compile("/c/"))
    expect(search_box(chat)).to_be_hidden()
    expect(chat.questions).to_have_text(["The first heron of spring."])


def test_commands_are_run_and_the_palette_tells_how_many_places_it_found(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    search(chat, "nowhere to be found")
    expect(chat.page.get_by_text("0 places found")).to_be_visible()
    search_box(chat).press("Escape")
    expect(search_box(chat)).to_be_hidden()
    expect(chat.box).to_be_focused()
    search(chat, "shortcuts")
    expect(group(chat, "Commands").get_by_role("option")).to_have_text("Keyboard shortcuts")
    search_box(chat).press("Enter")
    sheet = chat.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    hit = {"conversation_id": "x", "title": "Many", "preview": ""}
    bodies = {
        "many": NOTHING | {"incomplete": False, "conversations": [hit] * 20},
        "anything": NOTHING,
    }
    chat.route("**/api/v1/search?*", lambda route: route.fulfill(json=answer(route, bodies)))
    search(chat, "many")  # a search with more than is shown does not pretend to have counted
    expect(group(chat, "Chats (20+)").get_by_role("option")).to_have_count(20)
    expect(chat.page.locator(".palette-status")).to_have_text("At least 20 places found.")
    search(chat, "anything")  # one that was cut off says so
    expect(chat.page.get_by_text("0 places found. Looking for more took too long")).to_be_visible()


def answer(route: Route, bodies: dict[str, dict[str, object]]) -> dict[str, object]:
    """On a busy machine a search for what stood in the box before may come late."""
    answers = (body for query, body in bodies.items() if f"={query}" in route.request.url)
    return next(answers, NOTHING)
