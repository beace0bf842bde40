"""Keys, and the draft that is kept."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.fakes.openai_server import FakeOpenAI, Scripted


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


def test_enter_while_a_reply_is_written_keeps_the_words(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(text="one two three four five six", piece_delay_s=0.3))
    chat.send("Count.")
    expect(chat.stop_button).to_be_visible()
    chat.send("And then?")
    expect(chat.page.get_by_role("alert")).to_contain_text("still being written")
    expect(chat.box).to_have_value("And then?")
    chat.wait_for_end()
    chat.box.press("Enter")
    expect(chat.questions).to_have_text(["Count.", "And then?"])


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


def test_the_page_begins_with_a_way_to_the_message_box(chat: ChatPage) -> None:
    expect(chat.box).to_be_focused()
    first = chat.page.locator("a, button, input, select, textarea, [tabindex]").first
    expect(first).to_have_text("Skip to the message box")
    first.focus()
    expect(first).to_be_in_viewport()
    chat.page.keyboard.press("Enter")
    expect(chat.box).to_be_focused()
