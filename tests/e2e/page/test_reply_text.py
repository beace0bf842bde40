"""Text that is drawn while it grows leaves time for the reader's own writing."""

from __future__ import annotations

import threading

from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.fakes.openai_server import FakeOpenAI, Scripted

DEEP = "\n".join("  " * depth + f"- item{depth}" for depth in range(300))


def test_the_page_can_be_used_while_a_very_deep_list_is_written(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    never = threading.Event()  # it is stopped before its end
    text = f"{DEEP}\n{DEEP}"
    model_server.script(Scripted(text=text, piece_delay_s=0.02, goes_on=never, held_after=900))
    chat.send("Say it.")
    expect(chat.reply_text).to_contain_text("item40")
    chat.box.press_sequentially("And then?")
    expect(chat.box).to_have_value("And then?")
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.replies.last).to_have_attribute("data-status", "partial")
    expect(chat.reply_text).to_contain_text("item40")


def test_what_a_model_thinks_before_its_reply_is_not_in_it(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(text="<think>They greet me.</think>\n\nHello to you."))
    chat.ask("Hi there.")
    expect(chat.reply_text).to_have_text("Hello to you.")
    chat.page.reload()
    expect(chat.reply_text).to_have_text("Hello to you.")
