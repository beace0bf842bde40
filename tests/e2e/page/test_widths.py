"""From a small phone to a wide screen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

LONG = "a" * 300
WIDE = (
    f"| {' | '.join('column' for _ in range(12))} |\n|{' --- |' * 12}\n"
    f"| {' | '.join('some words' for _ in range(12))} |\n\n```text\n{LONG}\n```\n\n{LONG}"
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


WIDTHS = (360, 768, 1024, 1280, 1920)


def test_nothing_is_wider_than_the_screen(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(scripted_site.url, width=WIDTHS[0])
    for width in WIDTHS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert chat.page.evaluate(OVERFLOW) == 0
    model_server.script(Scripted(text=WIDE))
    chat.ask(LONG)
    scroller = chat.page.locator("#scroller")
    for width in WIDTHS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert chat.page.evaluate(OVERFLOW) == 0
        for part in (chat.box, chat.send_button, chat.replies.last):
            expect(part).to_be_in_viewport()
        assert scroller.evaluate("node => node.scrollWidth - node.clientWidth") == 0


def test_on_a_phone_list_and_memory_are_drawers(open_page: OpenPage, scripted_site: Site) -> None:
    chat = open_page(scripted_site.url, width=360, height=740)
    chat.ask("A thing to find again.")
    listed = chat.page.get_by_role("link", name="A thing to find again.").first
    expect(listed).not_to_be_in_viewport()
    chat.button("Show conversations").click()
    expect(listed).to_be_in_viewport()
    expect(chat.button("Close conversations")).to_be_focused()
    chat.page.keyboard.press("Escape")
    expect(listed).not_to_be_in_viewport()
    expect(chat.button("Show conversations")).to_be_focused()
    chat.button("Show memory").click()
    expect(chat.panel.get_by_role("heading", name="Facts about you")).to_be_in_viewport()
    chat.page.locator("#scrim").click(position={"x": 5, "y": 300})
    expect(chat.panel.get_by_role("heading", name="Facts about you")).not_to_be_visible()


def test_on_a_wide_screen_memory_stays_closed_once_closed(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, width=1280)
    expect(chat.panel).to_be_visible()
    chat.button("Close memory").click()
    expect(chat.panel).to_be_hidden()
    chat.page.reload()
    expect(chat.box).to_be_visible()
    expect(chat.panel).to_be_hidden()
    chat.button("Show memory").click()
    expect(chat.panel).to_be_visible()
