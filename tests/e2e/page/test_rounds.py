"""The main path, with the stand-in model and real workers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import NOTHING, WORK_MS
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.traffic import Traffic
from tests.e2e.site import Site
from tests.waiting import wait_for

LOOK_MS = 4000  # the panel looks every 1.5 s


@pytest.fixture
def site(memory_site: Site) -> Site:
    return memory_site


def test_three_rounds_are_answered_and_their_summary_leads_to_the_messages(
    open_page: OpenPage, site: Site
) -> None:
    chat = open_page(site.url, height=500)
    chat.ask("Hello, my name is Alexander.\n" + "and so on\n" * 12)
    chat.ask("I live in Berlin and keep bees on the roof.\n" + "and so on\n" * 12)
    chat.ask("What is my name?")
    expect(chat.reply_text).to_contain_text("Alexander")
    chat.unfold()
    summary = chat.panel.locator(".summary")
    expect(summary).to_contain_text("Messages 0–5", timeout=WORK_MS)
    expect(summary.locator(".points")).to_contain_text("Alexander")
    expect(chat.panel.get_by_role("img", name="In the summary: 6")).to_be_visible()
    expect(chat.panel.locator(".job.is-completed").first).to_be_visible(timeout=WORK_MS)
    first = chat.panel.get_by_role("button", name=re.compile(r"^0\b"))
    expect(first.first).to_be_visible(timeout=WORK_MS)
    expect(chat.questions.first).not_to_be_in_viewport()
    first.first.click()
    expect(chat.questions.first).to_be_in_viewport()
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()


def test_a_conversation_is_listed_and_opens_again_at_its_address(
    open_page: OpenPage, site: Site
) -> None:
    chat = open_page(site.url)
    chat.ask("Tell me about lighthouses in Brittany.")
    path = f"/c/{chat.conversation_id}"
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    chat.page.get_by_label("Conversations").locator(f'a[href="{path}"]').click()
    expect(chat.questions).to_have_text("Tell me about lighthouses in Brittany.")
    again = open_page(site.url, path=path)
    expect(again.questions).to_have_text("Tell me about lighthouses in Brittany.")
    expect(again.replies).to_have_attribute("data-status", "complete")


def test_a_new_conversation_is_called_by_what_it_is_about(open_page: OpenPage, site: Site) -> None:
    chat = open_page(site.url, width=360)  # without the panel, which looks for all jobs
    chat.ask("Hello there! Tell me all about the old lighthouses of Brittany and Ireland.")
    title = "Tell me all about the old lighthouses"
    expect(chat.page.get_by_role("heading", name=title, exact=True)).to_be_visible(timeout=WORK_MS)
    chat.button("Show conversations").click()
    expect(chat.page.get_by_role("link", name=title, exact=True)).to_be_visible()


def test_the_stand_in_says_what_it_is_and_memory_can_be_off(
    open_page: OpenPage, site: Site
) -> None:
    chat = open_page(site.url)
    notice = chat.page.get_by_text("The built-in helper is answering")
    expect(notice).to_be_visible()
    expect(chat.button("Set up a model")).to_be_visible()
    chat.button("Dismiss").click()
    expect(notice).to_be_hidden()
    chat.page.reload()
    expect(chat.page.locator("#model")).to_contain_text("The built-in helper")
    expect(notice).to_be_visible()
    chat.page.locator("#choice").get_by_text("Off", exact=True).click()
    chat.ask("Forget what I say.")
    expect(chat.page.locator("#chips")).to_contain_text("Memory off")
    stored = site.get(f"/api/v1/conversations/{chat.conversation_id}/messages")
    assert stored["mode"] == "off"


def test_the_panel_stops_asking_when_nothing_is_under_way(open_page: OpenPage, site: Site) -> None:
    chat = open_page(site.url, path=NOTHING)
    chat.install_clock()
    chat.open()
    for message in ("I am Ada.", "I live in Lyon.", "I play the cello."):
        chat.ask(message)
    chat.unfold()
    expect(chat.panel.locator(".summary .point").first).to_be_visible(timeout=WORK_MS)
    expect(chat.panel.locator(".job.is-queued, .job.is-running")).to_have_count(0, timeout=WORK_MS)
    traffic = Traffic(chat.page)
    # What the workers do at last may be told after a first look.
    wait_for(lambda: all(traffic.is_over(LOOK_MS) for _ in range(2)))
    with chat.page.expect_request("**/summaries"):
        chat.ask("And the piano.")
