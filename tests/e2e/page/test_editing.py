"""The newest message, put in other words."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_streaming import start_held_reply
from tests.fakes.openai_server import FakeOpenAI, Scripted


def edit_box(chat: ChatPage) -> Locator:
    return chat.page.get_by_label("Your message, in other words")


def edit_buttons(chat: ChatPage) -> Locator:
    return chat.button("Edit this message")


def test_the_last_message_is_edited_by_keys_and_by_mouse_and_answered_anew(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.box.press("ArrowUp")  # there is nothing to edit yet
    expect(chat.box).to_be_focused()
    chat.ask("Say one.")
    edit_by_keys(chat, model_server)
    look_at_a_reply_that_is_written(chat, model_server)
    expect(edit_buttons(chat)).to_have_count(2)
    chat.questions.last.hover()
    edit_buttons(chat).last.click()
    expect(edit_box(chat)).to_be_focused()
    expect(edit_box(chat)).to_have_value("Count.")
    model_server.script(Scripted(text="Four."))
    edit_box(chat).fill("What is two and two?")
    chat.button("Send again").click()
    expect(chat.reply_text).to_have_text("Four.")
    chat.wait_for_end()
    expect(chat.questions).to_have_text(["Say two.", "What is two and two?"])
    expect(chat.replies).to_have_count(2)
    chat.page.reload()
    expect(chat.questions).to_have_text(["Say two.", "What is two and two?"])
    expect(chat.reply_text).to_have_text("Four.")


def edit_by_keys(chat: ChatPage, model_server: FakeOpenAI) -> None:
    """Arrow up edits, Enter sends, and Escape leaves the message as it was."""
    chat.box.press("ArrowUp")
    edit_box(chat).fill("Say nothing.")
    edit_box(chat).press("Escape")
    expect(edit_box(chat)).to_have_count(0)
    expect(chat.questions).to_have_text("Say one.")
    expect(edit_buttons(chat)).to_be_focused()
    chat.box.press("ArrowUp")
    model_server.script(Scripted(text="Two."))
    edit_box(chat).fill("Say two.")
    edit_box(chat).press("Enter")
    expect(chat.reply_text).to_have_text("Two.")
    expect(chat.questions).to_have_text("Say two.")
    expect(chat.box).to_be_focused()
    chat.box.fill("a draft")
    chat.box.press("ArrowUp")
    expect(edit_box(chat)).to_have_count(0)


def look_at_a_reply_that_is_written(chat: ChatPage, model_server: FakeOpenAI) -> None:
    """Nothing is edited meanwhile."""
    goes_on = start_held_reply(chat, model_server)
    expect(edit_buttons(chat).filter(visible=True)).to_have_count(0)
    chat.box.press("ArrowUp")
    expect(edit_box(chat)).to_have_count(0)
    goes_on.set()
    chat.wait_for_end()


def test_words_that_were_not_taken_are_offered_again(chat: ChatPage) -> None:
    chat.ask("First try.")
    chat.page.context.set_offline(True)
    chat.box.press("ArrowUp")
    edit_box(chat).fill("Second try.")
    edit_box(chat).press("Enter")
    expect(edit_box(chat)).to_have_value("Second try.")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.page.context.set_offline(False)
    chat.expect_problem("ERR_INTERNET_DISCONNECTED")
    edit_box(chat).press("Enter")
    expect(chat.questions).to_have_text("Second try.")
    chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_text("Second try.")

    def refuse(route: Route) -> None:
        body = json.dumps({"error": {"code": "busy", "message": "Too many."}})
        route.fulfill(status=503, content_type="application/json", body=body)

    chat.route("**/edit", refuse)
    chat.box.press("ArrowUp")
    edit_box(chat).fill("Third try.")
    edit_box(chat).press("Enter")
    expect(chat.page.get_by_role("alert")).to_contain_text("Too much is going on")
    expect(edit_box(chat)).to_have_value("Third try.")
    expect(chat.replies).to_have_count(1)
    chat.expect_problem("503")
    chat.page.unroute("**/edit")
    edit_box(chat).press("Enter")
    expect(chat.questions).to_have_text("Third try.")
    chat.wait_for_end()
