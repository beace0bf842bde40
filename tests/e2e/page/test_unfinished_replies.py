"""A reply that is not whole says so, and goes on in its place; one that is can be written again."""

from __future__ import annotations

import threading

from playwright.sync_api import expect

from shared.rounds.writer import MAX_PROMPTS
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_streaming import COUNTED, start_held_reply
from tests.fakes.openai_server import FakeOpenAI, Scripted

CUT = Scripted(text="One two three four five six", finish_reason="length")
REST = Scripted(text="three four five six seven eight.")
WHOLE = "One two three four five six seven eight."
LONG_REST = f"{CUT.text} {COUNTED}"
TOO_LONG = Scripted(status=400, error="This model's maximum context length is 8192 tokens.")


def ask_cut(chat: ChatPage, model_server: FakeOpenAI) -> None:
    model_server.script(CUT)
    chat.ask("Count.")


def begin(chat: ChatPage) -> None:
    """Another chat, without a new page."""
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.replies).to_have_count(0)


def test_a_cut_reply_says_so_and_is_continued_in_its_place(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.ask("Hello.")
    for count, is_reloaded in ((2, False), (3, True)):
        ask_cut(chat, model_server)
        if is_reloaded:
            chat.page.reload()
        expect(chat.replies.last).to_have_attribute("data-status", "partial")
        expect(chat.replies.last).to_contain_text("This reply was cut")
        model_server.script(REST)
        chat.button("Continue").click()
        expect(chat.reply_text).to_have_text(WHOLE)
        chat.wait_for_end()
        expect(chat.replies.last).to_have_attribute("data-status", "complete")
        expect(chat.replies.last).not_to_contain_text("was cut")
        expect(chat.button("Continue")).to_be_hidden()
        expect(chat.replies).to_have_count(count)
    chat.page.reload()
    expect(chat.reply_text).to_have_text(WHOLE)

    # What was there stands while the rest is written.
    begin(chat)
    ask_cut(chat, model_server)
    goes_on = threading.Event()
    model_server.script(Scripted(text=LONG_REST, goes_on=goes_on, held_after=16))
    chat.button("Continue").dblclick()
    expect(chat.replies.last).to_have_attribute("data-status", "streaming")
    expect(chat.reply_text).to_contain_text(CUT.text)
    expect(chat.reply_text).to_contain_text("word5 ")
    chat.page.reload()
    expect(chat.reply_text).to_contain_text(CUT.text)
    goes_on.set()
    chat.wait_for_end()
    expect(chat.reply_text).to_have_text(LONG_REST)
    requests = [r for r in model_server.requests if len(r.body["messages"]) == 4]
    assert len([r for r in requests if CUT.text in r.body["messages"][-1]["content"]]) >= 1


def test_a_stopped_reply_can_be_continued_and_stopped_again_and_a_failure_says_why(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    start_held_reply(chat, model_server)
    chat.box.press("Escape")
    chat.wait_for_end()
    expect(chat.replies.last).to_contain_text("Stopped.")
    model_server.script(Scripted(text=COUNTED, goes_on=threading.Event(), held_after=20))
    chat.button("Continue").click()
    expect(chat.stop_button).to_be_visible()
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.replies.last).to_contain_text("Stopped.")
    expect(chat.reply_text).to_contain_text("word5")
    model_server.script(Scripted(text=COUNTED))
    chat.button("Continue").click()
    expect(chat.reply_text).to_have_text(COUNTED)
    chat.wait_for_end()

    begin(chat)
    ask_cut(chat, model_server)
    model_server.script(*[TOO_LONG] * MAX_PROMPTS)  # shorter ones are tried
    chat.button("Continue").click()
    expect(chat.replies.last).to_contain_text("too long for fake-model")
    expect(chat.replies.last).to_contain_text("maximum context length is 8192 tokens")
    expect(chat.reply_text).to_have_text(CUT.text)
    words = chat.replies.last.locator(".note").inner_text()
    chat.page.reload()
    expect(chat.replies.last.locator(".note")).to_have_text(words)
    expect(chat.button("Continue")).to_be_visible()
    model_server.forget_script()

    # Only the newest reply offers anything, and a finished one is written again.
    chat.ask("And now?")
    for name in ("Continue", "Try again"):
        expect(chat.button(name)).to_have_count(0)
    again = chat.button("Write this reply again")
    expect(again).to_have_count(1)
    model_server.script(Scripted(text="Another one."))
    chat.replies.last.hover()
    again.click()
    expect(chat.reply_text).to_have_text("Another one.")
    chat.wait_for_end()
    expect(chat.replies).to_have_count(2)
    chat.page.reload()
    expect(chat.reply_text).to_have_text("Another one.")
