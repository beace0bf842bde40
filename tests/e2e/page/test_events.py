"""What happens in a memory shows by itself, and webhooks are managed in the settings."""

from __future__ import annotations

import threading

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import AXE, find_in_schemes
from tests.e2e.page.chat_page import NOTHING, WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.traffic import Traffic
from tests.e2e.site import Site
from tests.fakes.webhook_receiver import running_receiver, status, when
from tests.waiting import wait_for

LOOK_MS = 4000  # the panel looks every 1.5 s


def test_a_fact_that_is_entered_elsewhere_shows_without_a_word(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url, path=NOTHING)
    chat.install_clock()
    chat.follow()
    traffic = Traffic(chat.page)
    expect(chat.panel).to_contain_text("Nothing is known of you yet.")
    wait_for(lambda: traffic.is_over(LOOK_MS))
    memory_site.post("/api/v1/facts", {"category": "preference", "key": "tea", "value": "green"})
    expect(chat.facts).to_contain_text("green")
    expect(chat.page.get_by_text("Used from memory:")).to_have_count(0)


def test_a_webhook_is_made_tried_and_its_dead_letters_are_sent_again(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    with running_receiver() as receiver:
        may_answer = threading.Event()
        receiver.answer(when(may_answer, status(410)))
        chat.open_settings("Programs")
        section = chat.page.locator("#webhooks")
        section.get_by_label("Address").fill(receiver.url)
        section.get_by_role("button", name="Add a webhook").click()
        expect(section.locator("#new-secret code")).to_contain_text("whsec_")
        secret = section.locator("#new-secret code").text_content() or ""
        section.get_by_role("button", name="Send a test").click()
        expect(section).to_contain_text("1 waiting")
        may_answer.set()
        reopen_until(chat, section, "Not delivered")
        if AXE.exists():
            assert find_in_schemes(chat) == []
        section.get_by_role("button", name="Switch on").click()
        expect(section).not_to_contain_text("Switched off.")
        receiver.answer(status(204))
        section.get_by_role("button", name="Send again").click()
        reopen_until(chat, section, "1 delivered")
        assert receiver.received[-1].verified(secret)["type"] == "webhook.test"
        expect(section.locator("#new-secret")).to_be_hidden()
        section.get_by_role("button", name="Delete").click()
        chat.question.get_by_role("button", name="Delete").click()
        expect(section).to_contain_text("You have no webhooks.")


def reopen_until(chat: ChatPage, section: Locator, text: str) -> None:
    """The dialog asks the server when it opens."""

    def is_told() -> bool:
        chat.page.get_by_role("dialog").get_by_role("button", name="Close").click()
        chat.button("Settings").click()
        expect(section).to_have_attribute("aria-busy", "false")
        return text in section.inner_text()

    wait_for(is_told, WORK_MS / 1000)
