"""Two pages of one user show the same, without being loaded again."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

WORDS = ("word " * 30).strip()


@pytest.fixture
def pages(open_page: OpenPage, scripted_site: Site) -> tuple[ChatPage, ChatPage]:
    """Both show one conversation, with one round."""
    conversation_id = scripted_site.chat("The first message.")["conversation_id"]
    return (
        follow(open_page, scripted_site, conversation_id),
        follow(open_page, scripted_site, conversation_id),
    )


def follow(open_page: OpenPage, site: Site, conversation_id: str) -> ChatPage:
    chat = open_page(site.url, path=NOTHING)
    chat.follow(f"/c/{conversation_id}")
    expect(chat.questions).to_have_text(["The first message."])
    return chat


def expect_numbers(chat: ChatPage, count: int) -> None:
    for number in range(count):
        message = chat.page.locator(".message").nth(number)
        expect(message).to_have_attribute("data-sequence", str(number))
    expect(chat.page.locator(".message")).to_have_count(count)


def test_a_round_shows_on_the_other_page_while_it_is_written_or_when_it_is_back(
    pages: tuple[ChatPage, ChatPage], model_server: FakeOpenAI
) -> None:
    here, there = pages
    goes_on = threading.Event()
    model_server.script(Scripted(text=WORDS, goes_on=goes_on, held_after=10))
    here.send("Take your time.")
    expect(there.questions.last).to_have_text("Take your time.")
    expect(there.page.locator(".message[data-status=streaming]")).to_contain_text("word")
    goes_on.set()
    here.wait_for_end()
    expect(there.reply_text).to_have_text(WORDS)
    there.wait_for_end()
    there.ask("And from here.")
    expect(here.questions.last).to_have_text("And from here.")
    expect(here.replies).to_have_count(3)
    for chat in pages:
        expect_numbers(chat, 6)

    there.page.evaluate("window.dispatchEvent(new Event('pagehide'))")  # it follows no more
    here.ask("The fourth message.")
    expect(there.questions).to_have_count(3)
    there.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    questions = ["The first message.", "Take your time.", "And from here.", "The fourth message."]
    expect(there.questions).to_have_text(questions)

    there.page.route("**/api/v1/events*", lambda route: route.abort())
    there.page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    here.ask("The fifth message.")
    here.ask("The sixth message.")
    expect(there.questions).to_have_count(4)
    there.send("The seventh message.")
    missed = ["The fifth message.", "The sixth message.", "The seventh message."]
    expect(there.questions).to_have_text([*questions, *missed])
    there.wait_for_end()
    expect_numbers(there, 14)


def test_what_is_reworded_deleted_or_renamed_changes_on_the_other_page(
    pages: tuple[ChatPage, ChatPage], scripted_site: Site
) -> None:
    here, there = pages
    address = f"/api/v1/conversations/{here.page.url.rpartition('/')[2]}"
    here.ask("The second message.")
    expect(there.questions.last).to_have_text("The second message.")
    edit = here.page.locator("li.is-user").last.get_by_role("button", name="Edit this message")
    edit.click()
    here.page.locator(".editing textarea").fill("Other words.")
    here.page.locator(".editing").get_by_role("button", name="Send").click()
    expect(there.questions.last).to_have_text("Other words.")
    expect(there.questions).to_have_count(2)
    here.wait_for_end()
    there.wait_for_end()
    scripted_site.delete(f"{address}/messages/0")
    expect(there.page.locator(".message.is-deleted")).to_have_count(1)
    expect(here.page.locator(".message.is-deleted")).to_have_count(1)
    scripted_site.patch(address, {"title": "Another title"})
    for chat in pages:
        expect(chat.page.locator("h1")).to_have_text("Another title")
        expect(chat.page.locator("#conversations")).to_contain_text("Another title")
    for chat in pages:
        chat.permit_problem("404")  # it may ask for what is gone
    scripted_site.delete(address)
    for chat in pages:
        expect(chat.page.locator("#welcome")).to_be_visible()
        expect(chat.page.locator("#conversations")).not_to_contain_text("Another title")
