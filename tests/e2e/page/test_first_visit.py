"""What somebody sees who has no conversation yet."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.axe import AXE, find_in_looks
from tests.e2e.page.chat_page import WORK_MS
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

TELL = "Remember that I’m allergic to peanuts."
ASK = "What can you do?"
KNOW = "What do you know about me?"


def test_an_example_comes_before_what_was_typed_is_sent_and_then_there_are_none(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    expect(chat.page.locator(".kept")).to_contain_text("on this machine")
    expect(chat.page.locator(".kept")).to_contain_text("nothing is sent to a model")
    expect(chat.button(TELL)).to_be_visible()
    if AXE.exists():
        findings = find_in_looks(chat)
        assert not any(findings.values()), findings
    chat.box.fill("and pollen")
    chat.button(TELL).click()
    expect(chat.box).to_have_value(f"{TELL}\nand pollen")
    chat.box.fill("")
    chat.button(ASK).click()
    expect(chat.box).to_have_value(ASK)
    chat.button(TELL).click()
    expect(chat.box).to_have_value(TELL)
    expect(chat.box).to_be_focused()
    chat.box.press("Enter")
    chat.wait_for_end()
    expect(chat.facts.filter(has_text="peanuts")).to_be_visible(timeout=WORK_MS)
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.locator("#welcome")).to_be_visible()
    expect(chat.page.locator("#first-visit")).to_be_hidden()
    chat.ask(KNOW)
    expect(chat.reply_text).to_contain_text("peanuts")


def test_the_box_is_in_the_middle_and_memory_is_closed(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url, is_new=True)
    expect(chat.button(TELL)).to_be_visible()
    expect(chat.panel).to_have_count(0)
    box = chat.page.locator("#composer").bounding_box()
    assert box
    assert 200 < box["y"] < 600
    chat.button("Show memory").click()
    expect(chat.panel).to_be_visible()
    chat.page.reload()
    expect(chat.panel).to_be_visible()  # as it was left
