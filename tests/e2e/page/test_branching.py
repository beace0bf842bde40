"""An older message, put in other words in a branch, and the way from one branch to the other."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_in_looks
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_editing import edit_box
from tests.fakes.openai_server import FakeOpenAI, Scripted


def begin_branch(chat: ChatPage, server: FakeOpenAI, text: str) -> str:
    """Returns the id of the conversation that it leaves."""
    chat.ask("First.")
    chat.ask("Second.")
    chat.ask("Third.")
    first = chat.conversation_id
    chat.page.locator(".message.is-user").nth(1).hover()
    chat.button("Edit this message").nth(1).click()
    expect(chat.page.get_by_text("This begins a branch.")).to_be_visible()
    server.script(Scripted(text="In a branch."))
    edit_box(chat).fill(text)
    chat.button("Send again").click()
    expect(chat.reply_text).to_have_text("In a branch.")
    chat.wait_for_end()
    return first


def forks(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("navigation", name="Branches that part here")


def rows(chat: ChatPage, *branches: str) -> Locator:
    """The rows of the list that lead to any of these."""
    return chat.page.locator(", ".join(f'#conversations [href="/c/{each}"]' for each in branches))


def expect_one_row(chat: ChatPage, *branches: str) -> None:
    expect(rows(chat, *branches)).to_have_count(1)
    expect(rows(chat, *branches)).to_have_attribute("aria-current", "page")


def choose(chat: ChatPage, item: str) -> None:
    """In the menu of the open chat's row."""
    chat.page.locator("#conversations .row:has([aria-current]) .row-more").click()
    chat.page.get_by_role("menuitem", name=item).click()


def test_an_older_message_is_edited_as_a_branch(chat: ChatPage, model_server: FakeOpenAI) -> None:
    """Back leads to where it began. The chat is renamed and deleted with its branches."""
    first = begin_branch(chat, model_server, "Another second.")
    expect(chat.questions).to_have_text(["First.", "Another second."])
    expect(forks(chat)).to_contain_text("2/2")
    expect(forks(chat)).to_contain_text("Memory follows the branch that is open.")
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
    branch = chat.conversation_id
    expect_one_row(chat, first, branch)
    chat.page.go_back()
    expect(chat.questions).to_have_text(["First.", "Second.", "Third."])
    chat.ask("Fourth.")
    expect(chat.questions).to_have_text(["First.", "Second.", "Third.", "Fourth."])
    chat.page.get_by_role("link", name="Later branch").press("Enter")
    expect(chat.questions).to_have_text(["First.", "Another second."])
    expect(chat.page).to_have_url(re.compile(f"/c/{branch}"))
    chat.page.get_by_role("link", name="Earlier branch").click()
    expect(chat.questions).to_have_text(["First.", "Second.", "Third.", "Fourth."])
    expect(forks(chat)).to_contain_text("1/2")
    expect_one_row(chat, first, branch)
    chat.page.reload()
    expect(forks(chat)).to_contain_text("1/2")
    expect_one_row(chat, first, branch)

    choose(chat, "Rename")
    chat.page.get_by_role("textbox", name="Title").fill("Seconds")
    chat.button("Save").click()
    chat.page.get_by_role("link", name="Later branch").click()
    expect(forks(chat)).to_contain_text("2/2")
    expect(chat.page.locator("#title")).to_have_text("Seconds")
    choose(chat, "Delete")
    expect(chat.questions).to_have_count(0)
    expect(rows(chat, first, branch)).to_have_count(0)
    chat.button("Undo").click()
    expect(chat.questions).to_have_text(["First.", "Another second."])
    expect(chat.page).to_have_url(re.compile(f"/c/{branch}"))
    expect_one_row(chat, first, branch)


def test_a_branch_that_was_refused_offers_the_words_again(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.ask("First.")
    chat.ask("Second.")
    aborted = ("**/branch", "**/messages*", "**/retry")
    for pattern in aborted:
        chat.route(pattern, lambda route: route.abort())
    chat.page.locator(".message.is-user").first.hover()
    chat.button("Edit this message").first.click()
    edit_box(chat).fill("Another first.")
    edit_box(chat).press("Enter")
    expect(edit_box(chat)).to_have_value("Another first.")
    expect(chat.questions.last).to_have_text("Second.")
    expect(chat.replies).to_have_count(2)
    edit_box(chat).press("Escape")

    chat.replies.last.hover()
    with chat.page.expect_event("requestfailed", lambda request: "after=" in request.url):
        # The last that it asks for: the chat is not read again after that.
        chat.replies.last.get_by_role("button", name="Write this reply again").click()
    expect(chat.page.locator(".notice")).to_contain_text("The server cannot be reached.")
    expect(chat.stop_button).to_be_hidden()
    expect(chat.replies).to_have_count(2)
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.expect_problem("ERR_FAILED")
    for pattern in aborted:
        chat.page.unroute(pattern)
    chat.button("Edit this message").first.click()
    edit_box(chat).fill("Another first.")
    edit_box(chat).press("Enter")
    expect(chat.questions).to_have_text("Another first.")
    chat.wait_for_end()
