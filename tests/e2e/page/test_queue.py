"""A message that is sent while a reply is written waits for its end."""

from __future__ import annotations

import threading

import httpx
from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import ChatPage
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.waiting import wait_for


def begin(chat: ChatPage, server: FakeOpenAI) -> threading.Event:
    """A reply that waits for the event after its first word."""
    goes_on = threading.Event()
    server.script(Scripted(text="word0 word1 word2", goes_on=goes_on))
    chat.send("Count.")
    expect(chat.reply_text).to_contain_text("word0")
    return goes_on


def begin_anew(chat: ChatPage, server: FakeOpenAI) -> threading.Event:
    """In another chat, without a new page."""
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.replies).to_have_count(0)
    return begin(chat, server)


def waiting(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("group", name="Message that waits")


def test_it_is_sent_when_the_reply_is_whole_unless_it_is_taken_back_or_the_reply_is_stopped(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    goes_on = begin(chat, model_server)
    chat.send("And then?")
    chat.send("Tell me all.")
    expect(waiting(chat)).to_contain_text("And then?")
    expect(chat.box).to_have_value("")
    expect(chat.questions).to_have_text("Count.")
    goes_on.set()
    expect(chat.questions).to_have_text(["Count.", "And then?\n\nTell me all."])
    expect(waiting(chat)).to_be_hidden()
    chat.wait_for_end()
    expect(chat.replies).to_have_count(2)
    expect(chat.box).to_have_value("")

    goes_on = begin_anew(chat, model_server)
    chat.box.fill("And then?")
    chat.button("Send after this reply").click()
    chat.button("Take back and edit").click()
    expect(chat.box).to_have_value("And then?")
    expect(waiting(chat)).to_be_hidden()
    chat.box.press("Enter")
    waiting(chat).get_by_role("button", name="Remove").click()
    goes_on.set()
    chat.wait_for_end()
    expect(chat.questions).to_have_text("Count.")
    expect(chat.box).to_have_value("")

    begin_anew(chat, model_server)
    chat.send("And then?")
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.box).to_have_value("And then?")
    notice = chat.page.get_by_role("alert").locator(".notice")
    expect(notice).to_contain_text("was not sent")
    expect(notice).to_contain_class("is-calm")  # the reader wanted it so
    expect(chat.questions).to_have_text("Count.")


def test_it_survives_a_reload_and_is_a_draft_once_the_reply_has_ended_elsewhere(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    goes_on = begin(chat, model_server)
    chat.send("And then?")
    assert chat.conversation_id
    chat.page.reload()
    expect(waiting(chat)).to_contain_text("And then?")
    goes_on.set()
    expect(chat.questions).to_have_text(["Count.", "And then?"])
    chat.wait_for_end()

    goes_on = begin_anew(chat, model_server)
    conversation_id = chat.conversation_id
    chat.send("And then?")
    chat.page.get_by_role("link", name="New chat").click()
    expect(waiting(chat)).to_be_hidden()
    expect(chat.box).to_have_value("")
    goes_on.set()
    messages = f"{chat.url}/api/v1/conversations/{conversation_id}/messages"
    wait_for(lambda: httpx.get(messages, timeout=60).json()["messages"][-1]["status"] == "complete")
    chat.open(f"/c/{conversation_id}")
    expect(chat.box).to_have_value("And then?")
    expect(chat.questions).to_have_text("Count.")
