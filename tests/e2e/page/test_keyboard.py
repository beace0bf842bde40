"""Keys, and the draft that is kept."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage


def look_at_the_sheet_of_keys(chat: ChatPage, key: str) -> None:
    chat.page.keyboard.press(key)
    sheet = chat.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    for words in ("Send the message", "Stop the reply", "Edit the last message", "Search"):
        expect(sheet).to_contain_text(words)
    chat.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_keys_lead_to_the_message_box_and_to_the_sheet_of_keys(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    first = chat.page.locator("a, button, input, select, textarea, [tabindex]").first
    expect(first).to_have_text("Skip to the message box")
    first.focus()
    expect(first).to_be_in_viewport()
    chat.page.keyboard.press("Enter")
    expect(chat.box).to_be_focused()
    look_at_the_sheet_of_keys(chat, "Control+/")
    expect(chat.box).to_be_focused()
    chat.page.keyboard.press("?")  # typed into the box, it is a question mark
    expect(chat.box).to_have_value("?")
    chat.page.get_by_role("link", name="New chat").focus()
    look_at_the_sheet_of_keys(chat, "?")
    chat.send("   \n ")
    expect(chat.questions).to_have_count(0)  # an empty message is not sent
    chat.page.set_viewport_size({"width": 360, "height": 740})  # on a phone there are keys, too
    look_at_the_search(chat)
    expect(chat.page.get_by_label("Search everything said")).to_be_in_viewport()


def look_at_the_search(chat: ChatPage) -> None:
    chat.page.keyboard.press("Control+k")
    expect(chat.page.get_by_label("Search everything said")).to_be_focused()


def test_enter_sends_and_each_conversation_keeps_its_own_draft(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    chat.page.keyboard.type("first")
    chat.page.keyboard.press("Shift+Enter")
    chat.page.keyboard.type("second")
    expect(chat.replies).to_have_count(0)
    chat.page.keyboard.press("Enter")
    chat.wait_for_end()
    assert chat.questions.inner_text() == "first\nsecond"
    expect(chat.box).to_have_value("")
    path = f"#conversation-{chat.conversation_id}"
    chat.box.fill("half a thought")
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.box).to_have_value("")
    chat.box.fill("another one")
    chat.page.reload()
    expect(chat.box).to_have_value("another one")
    chat.page.locator(path).click()
    expect(chat.box).to_have_value("half a thought")
    look_at_the_search(chat)
    chat.page.keyboard.press("Escape")
    chat.page.keyboard.press("Control+Shift+O")
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    expect(chat.box).to_be_focused()
