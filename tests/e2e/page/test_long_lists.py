"""More than fits one page of the API."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

ROUNDS = 40  # 80 messages; the page fetches 50 at a time
CONVERSATIONS = 32  # the page fetches 30 at a time


def test_older_messages_come_when_the_reader_scrolls_up(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id = None
    for number in range(ROUNDS):
        answer = scripted_site.chat(f"Question {number}.", conversation_id)
        conversation_id = answer["conversation_id"]
    chat = open_page(scripted_site.url, path=f"/c/{conversation_id}")
    expect(chat.questions).to_have_count(25)
    expect(chat.replies.last).to_be_in_viewport()
    chat.page.locator("#scroller").hover()
    chat.page.mouse.wheel(0, -100_000)
    expect(chat.questions).to_have_count(ROUNDS)
    assert chat.questions.all_inner_texts() == [f"Question {n}." for n in range(ROUNDS)]
    expect(chat.page.locator('[data-sequence="30"]')).to_be_in_viewport()


def test_older_conversations_come_when_they_are_asked_for(
    open_page: OpenPage, scripted_site: Site
) -> None:
    for number in range(CONVERSATIONS):
        scripted_site.chat(f"Listed {number}.")
    chat = open_page(scripted_site.url)
    names = [f"Listed {number}." for number in reversed(range(CONVERSATIONS))]
    listed = chat.page.locator(".conversation")
    expect(listed).to_have_text(names[:30])
    expect(chat.page.get_by_role("heading", name="Today")).to_be_visible()
    chat.button("Show older").click()
    expect(listed.filter(has_text="Listed")).to_have_text(names)
