"""The panel's suggestions: facts that wait for the user's word."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_serious, needs_axe
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.waiting import wait_for

YES = "Yes. Is it right that you are allergic to peanuts?"
NO = "No. Is it right that you are allergic to shellfish?"
SAID = ("I'm allergic to peanuts.", "I'm allergic to shellfish.")


def bring_in(site: Site, *texts: str) -> None:
    """As a file; what limits somebody is suggested when it comes from one."""
    messages = [
        {"role": role, "content": text, "created_at": "2025-03-05T10:00:00+00:00"}
        for message in texts
        for role, text in (("user", message), ("assistant", "I see."))
    ]
    site.post("/api/v1/imports", [{"id": texts[0], "title": "Old", "messages": messages}])


def rows(chat: ChatPage) -> Locator:
    return chat.panel.locator(".suggestion")


def await_suggestions(chat: ChatPage, count: int) -> None:
    """The panel looks again at what may have changed when the page is seen again."""

    def is_shown() -> bool:
        with chat.page.expect_response("**/api/v1/facts/suggestions*"):
            chat.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        return rows(chat).count() == count

    wait_for(is_shown)


def test_suggestions_lead_to_what_was_said_and_are_dismissed_or_confirmed_from_the_keyboard(
    open_page: OpenPage, memory_site: Site
) -> None:
    bring_in(memory_site, *SAID)
    chat = open_page(memory_site.url)
    await_suggestions(chat, 2)
    expect(chat.panel.get_by_role("heading", name="Is this right?")).to_be_visible()
    expect(chat.facts).to_have_count(0)
    rows(chat).filter(has_text="peanuts").get_by_role("link", name="From a chat").click()
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()
    chat.panel.get_by_role("button", name=NO).click()
    expect(rows(chat)).to_have_count(1)
    expect(chat.panel.get_by_role("button", name=YES)).to_be_focused()
    assert memory_site.get("/api/v1/facts")["facts"] == []
    chat.page.keyboard.press("Enter")
    expect(chat.facts.filter(has_text="peanuts")).to_be_visible()
    expect(rows(chat)).to_have_count(0)
    expect(chat.panel.get_by_role("heading", name="Is this right?")).to_be_hidden()


@needs_axe
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_while_the_panel_is_closed_they_are_counted_and_lead_into_it(
    open_page: OpenPage, memory_site: Site, scheme: Scheme, width: int
) -> None:
    chat = open_page(memory_site.url, path=NOTHING, scheme=scheme, width=width)
    chat.follow()
    if width > 1200:
        chat.button("Close memory").click()
    expect(chat.button("Show memory")).to_be_visible()
    bring_in(memory_site, *SAID)
    expect(chat.button("Show memory: 2 suggestions to check")).to_be_visible()
    if width < 860:
        chat.button("Show conversations").click()
    chip = chat.button("2 suggestions to check")
    expect(chip).to_be_in_viewport()
    assert find_serious(chat) == []
    assert chat.page.evaluate(OVERFLOW) == 0

    chip.click()
    expect(rows(chat).first).to_be_in_viewport()
    expect(rows(chat).first.get_by_role("button").first).to_be_focused()
    chat.page.get_by_role("button", name=NO).click()
    expect(chat.page.locator("#suggestions-waiting")).to_have_text("1 suggestion to check")
    chat.page.get_by_role("button", name=YES).click()
    expect(rows(chat)).to_have_count(0)
    chat.button("Close memory").click()
    expect(chat.button("Show memory")).to_be_visible()
    expect(chat.page.locator("#suggestions-waiting")).to_be_hidden()
