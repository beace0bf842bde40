"""The reader's theme and text size: on every page, from the first paint, in all tabs."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.e2e.page.axe import AXE, RULES_OF_LOOKS, find_serious
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_widths import OVERFLOW

LIGHT, DARK = "rgb(251, 250, 246)", "rgb(19, 23, 22)"


def open_settings(chat: ChatPage) -> Locator:
    chat.button("Settings").click()
    return open_dialog(chat)


def open_dialog(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("dialog", name="Settings")


def choose(dialog: Locator, name: str) -> None:
    dialog.get_by_text(name, exact=True).click()


def bar_colour(page: Page) -> str | None:
    """The colour that a browser takes for its own bars."""
    colour: str | None = page.evaluate(
        "[...document.querySelectorAll('meta[name=theme-color]')]"
        ".find((meta) => matchMedia(meta.media).matches)?.content"
    )
    return colour


def test_theme_and_size_hold_in_all_tabs_and_after_the_page_is_loaded_anew(
    chat: ChatPage,
) -> None:
    body, html = chat.page.locator("body"), chat.page.locator("html")
    expect(body).to_have_css("background-color", LIGHT)
    other = chat.page.context.new_page()
    other.goto(chat.url)
    dialog = open_settings(chat)
    choose(dialog, "Dark")
    expect(body).to_have_css("background-color", DARK)
    assert bar_colour(chat.page) == "#131716"
    choose(dialog, "Small")
    look_at_another_tab(other)
    look_with_axe(chat)
    choose(dialog, "Dark")
    chat.page.set_viewport_size({"width": 360, "height": 800})
    choose(dialog, "Large")
    expect(html).to_have_css("font-size", "19px")
    chat.page.reload()
    expect(html).to_have_attribute("data-theme", "dark")
    expect(body).to_have_css("background-color", DARK)
    assert bar_colour(chat.page) == "#131716"
    expect(chat.box).to_have_css("font-size", "19px")
    assert chat.page.evaluate(OVERFLOW) == 0
    chat.button("Show conversations").click()
    dialog = open_settings(chat)
    expect(dialog.get_by_label("Dark")).to_be_checked()
    look_without_scripts(chat)
    choose(dialog, "System")
    expect(body).to_have_css("background-color", LIGHT)
    chat.page.reload()
    expect(html).not_to_have_attribute("data-theme", "dark")


def look_at_another_tab(other: Page) -> None:
    expect(other.locator("body")).to_have_css("background-color", DARK)
    expect(other.locator("html")).to_have_css("font-size", "14px")
    other.get_by_role("button", name="Settings", exact=True).click()
    expect(other.get_by_label("Small")).to_be_checked()
    other.close()


def look_with_axe(chat: ChatPage) -> None:
    """The open dialog, in dark colours and in light ones, against the system's theme."""
    if not AXE.exists():
        return
    assert find_serious(chat) == []
    choose(open_dialog(chat), "Light")
    chat.page.emulate_media(color_scheme="dark")
    assert find_serious(chat, rules=RULES_OF_LOOKS) == []
    chat.page.emulate_media(color_scheme="light")


def look_without_scripts(chat: ChatPage) -> None:
    """The theme holds on every page before any of its scripts has run."""
    context = chat.page.context
    context.route("**/*.js", lambda route: route.abort())
    for path in ("/", "/nothing", "/operations", "/api/v1/docs"):
        page = context.new_page()
        page.goto(chat.url + path)
        expect(page.locator("body")).to_have_css("background-color", DARK)
        page.close()
    context.unroute("**/*.js")
