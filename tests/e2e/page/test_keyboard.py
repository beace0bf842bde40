"""Keys, and the draft that is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site


def test_shift_enter_starts_a_line_and_enter_sends(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    chat.page.keyboard.type("first")
    chat.page.keyboard.press("Shift+Enter")
    chat.page.keyboard.type("second")
    expect(chat.replies).to_have_count(0)
    chat.page.keyboard.press("Enter")
    chat.wait_for_end()
    assert chat.questions.inner_text() == "first\nsecond"
    expect(chat.box).to_have_value("")


def test_an_empty_message_is_not_sent(chat: ChatPage) -> None:
    chat.send("   \n ")
    expect(chat.questions).to_have_count(0)


def test_each_conversation_keeps_its_own_draft(chat: ChatPage) -> None:
    chat.ask("First conversation.")
    chat.box.fill("half a thought")
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.box).to_have_value("")
    chat.box.fill("another one")
    chat.page.reload()
    expect(chat.box).to_have_value("another one")
    chat.page.get_by_role("link", name="First conversation.").first.click()
    expect(chat.box).to_have_value("half a thought")


@pytest.mark.parametrize("key", ["?", "Control+/"])
def test_the_sheet_of_keys_opens_by_key_and_closes_by_escape(chat: ChatPage, key: str) -> None:
    expect(chat.box).to_be_focused()
    if key == "?":
        chat.page.keyboard.press(key)  # typed into the box, it is a question mark
        expect(chat.box).to_have_value("?")
        chat.page.get_by_role("link", name="New chat").focus()
    chat.page.keyboard.press(key)
    sheet = chat.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    for words in ("Send the message", "Stop the reply", "Edit the last message", "Search"):
        expect(sheet).to_contain_text(words)
    chat.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_keys_lead_to_the_search_and_to_a_new_chat(chat: ChatPage) -> None:
    chat.ask("Something.")
    chat.page.keyboard.press("Control+k")
    expect(chat.page.get_by_label("Search everything said")).to_be_focused()
    chat.page.keyboard.press("Escape")
    chat.page.keyboard.press("Control+Shift+O")
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    expect(chat.box).to_be_focused()


def test_on_a_phone_the_search_opens_by_key_too(open_page: OpenPage, scripted_site: Site) -> None:
    chat = open_page(scripted_site.url, width=360, height=740)
    expect(chat.page.locator("#model")).not_to_be_empty()  # the page's keys work by then
    chat.page.keyboard.press("Control+k")
    expect(chat.page.get_by_label("Search everything said")).to_be_focused()
    expect(chat.page.get_by_label("Search everything said")).to_be_in_viewport()


def test_the_page_begins_with_a_way_to_the_message_box(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    first = chat.page.locator("a, button, input, select, textarea, [tabindex]").first
    expect(first).to_have_text("Skip to the message box")
    first.focus()
    expect(first).to_be_in_viewport()
    chat.page.keyboard.press("Enter")
    expect(chat.box).to_be_focused()
