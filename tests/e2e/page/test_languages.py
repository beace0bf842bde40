"""The page in another language, and from right to left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.page.axe import AXE, RULES_OF_WIDTH, find_serious
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site

OpenIn = Callable[..., ChatPage]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def open_in(browser: Browser, scripted_site: Site) -> Iterator[OpenIn]:
    """`open_in("ar", width=360)`: a page for a browser of that language."""
    chats: list[ChatPage] = []

    def open_(locale: str, *, path: str = "/", width: int = 1280) -> ChatPage:
        viewport = {"width": width, "height": 740}
        context = make_profile(browser, locale=locale, viewport=viewport)
        chat = ChatPage(context.new_page(), scripted_site.url)
        chats.append(chat)
        chat.open(path)
        return chat

    yield open_
    for chat in chats:
        chat.page.context.close()
    assert [chat.problems for chat in chats] == [[] for _ in chats]


def left_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box
    return box["x"]


def expect_no_findings(chat: ChatPage) -> None:
    """Nothing is wider than the screen, and axe finds nothing."""
    chat.page.emulate_media(reduced_motion="reduce")
    expect(chat.page.locator("#agent-about")).not_to_be_empty()
    chat.page.locator("#message").fill("Hello")
    chat.page.locator("#send").click()
    expect(chat.page.locator(".message.is-assistant .reply-foot")).to_be_visible()
    settings = chat.page.locator("#settings")
    for width, rules in ((1280, ()), (360, RULES_OF_WIDTH)):
        chat.page.set_viewport_size({"width": width, "height": 740})
        assert chat.page.evaluate(OVERFLOW) == 0
        assert not AXE.exists() or find_serious(chat, rules=rules) == []
        settings.evaluate("dialog => dialog.showModal()")
        expect(settings).to_have_css("opacity", "1")  # it fades in
        assert chat.page.evaluate(OVERFLOW) == 0
        body = settings.locator(".dialog-body")
        assert body.evaluate("node => node.scrollWidth - node.clientWidth") == 0
        assert not AXE.exists() or find_serious(chat, rules=rules) == []
        settings.evaluate("dialog => dialog.close()")
        expect(settings).to_be_hidden()


def test_the_browsers_language_is_the_pages_where_it_has_texts(open_in: OpenIn) -> None:
    german = open_in("de-AT")
    expect(german.page.locator("html")).to_have_attribute("lang", "de")
    expect(german.page.get_by_role("link", name="Neuer Chat")).to_be_visible()
    expect_no_findings(german)


def test_a_chosen_language_holds_and_keeps_the_draft_and_no_temporary_chat_ends_unasked(
    open_in: OpenIn,
) -> None:
    chat = open_in("is")  # where the page has no texts, it is English
    expect(chat.page.locator("html")).to_have_attribute("lang", "en")
    chat.box.fill("half a thought")
    chat.button("Settings").click()
    chat.page.get_by_label("Language").select_option("Deutsch")
    box = chat.page.get_by_label("Deine Nachricht", exact=True)
    expect(box).to_have_value("half a thought")
    chat.page.goto(chat.url + "/nothing")
    expect(chat.page.get_by_role("heading", name="Hier ist nichts")).to_be_visible()
    chat.expect_problem("404")
    chat.page.goto(chat.url)
    chat.page.get_by_role("button", name="Einstellungen", exact=True).click()
    chat.page.get_by_label("Sprache").select_option("Wie im Browser")
    expect(chat.box).to_have_value("half a thought")

    chat.box.fill("")
    chat.page.locator("#choice").get_by_text("Temporary", exact=True).click()
    chat.ask("Between us.")
    chat.button("Settings").click()
    picker = chat.page.get_by_label("Language")
    picker.select_option("Deutsch")
    expect(chat.question).to_contain_text("a temporary chat ends")
    chat.question.get_by_role("button", name="Cancel").click()
    expect(picker).to_have_value("")
    expect(chat.questions).to_have_text(["Between us."])
    picker.select_option("Deutsch")
    chat.question.get_by_role("button", name="Change the language").click()
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")


def test_arabic_is_read_from_the_right_with_drawers_at_their_own_sides(open_in: OpenIn) -> None:
    chat = open_in("ar-EG")
    page = chat.page
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.get_by_role("button", name="عرض الذاكرة", exact=True).click()
    expect(page.locator("#panel")).to_be_visible()
    assert left_of(page.locator("#list")) > left_of(page.locator("#chat"))
    assert left_of(page.locator("#chat")) > left_of(page.locator("#panel"))
    assert left_of(page.locator("#message")) > left_of(page.locator("#send"))
    expect(page.locator("#message")).to_have_css("direction", "rtl")
    page.set_viewport_size({"width": 360, "height": 740})
    listed, memory = page.locator("#list"), page.locator("#panel")
    expect(listed).not_to_be_in_viewport()
    assert left_of(listed) >= 360
    page.get_by_role("button", name="عرض المحادثات", exact=True).click()
    expect(listed).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(listed).not_to_be_in_viewport()
    page.get_by_role("button", name="عرض الذاكرة", exact=True).click()
    expect(memory).to_be_in_viewport(ratio=1)
    assert left_of(memory) <= 0
    page.keyboard.press("Escape")
    expect(memory).not_to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 740})
    expect_no_findings(chat)
