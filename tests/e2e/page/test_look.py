"""The reader's theme and text size: on every page, from the first paint, in all tabs."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.e2e.page.axe import RULES_OF_LOOKS, find_serious, needs_axe
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

LIGHT, DARK = "rgb(251, 250, 246)", "rgb(19, 23, 22)"


def open_settings(chat: ChatPage) -> Locator:
    chat.button("Settings").click()
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


def test_a_theme_holds_at_once_and_after_the_page_is_loaded_anew(chat: ChatPage) -> None:
    body = chat.page.locator("body")
    expect(body).to_have_css("background-color", LIGHT)
    choose(open_settings(chat), "Dark")
    expect(body).to_have_css("background-color", DARK)
    assert bar_colour(chat.page) == "#131716"
    chat.page.reload()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(body).to_have_css("background-color", DARK)
    assert bar_colour(chat.page) == "#131716"
    dialog = open_settings(chat)
    expect(dialog.get_by_label("Dark")).to_be_checked()
    choose(dialog, "System")
    expect(body).to_have_css("background-color", LIGHT)
    chat.page.reload()
    expect(chat.page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_a_theme_holds_before_any_script(open_page: OpenPage, scripted_site: Site) -> None:
    chat = open_page(scripted_site.url)
    choose(open_settings(chat), "Dark")
    context = chat.page.context
    context.route("**/*.js", lambda route: route.abort())
    for path in ("/", "/nothing", "/operations", "/api/v1/docs"):
        page = context.new_page()
        page.goto(scripted_site.url + path)
        expect(page.locator("body")).to_have_css("background-color", DARK)


def test_text_size_scales_everything_and_nothing_is_wider_than_a_phone(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, width=360)
    chat.button("Show conversations").click()
    choose(open_settings(chat), "Large")
    expect(chat.page.locator("html")).to_have_css("font-size", "19px")
    chat.page.reload()
    expect(chat.box).to_have_css("font-size", "19px")
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert chat.page.evaluate(overflow) == 0


def test_other_tabs_follow(chat: ChatPage) -> None:
    other = chat.page.context.new_page()
    other.goto(chat.url)
    dialog = open_settings(chat)
    choose(dialog, "Dark")
    choose(dialog, "Small")
    expect(other.locator("body")).to_have_css("background-color", DARK)
    expect(other.locator("html")).to_have_css("font-size", "14px")
    other.get_by_role("button", name="Settings", exact=True).click()
    expect(other.get_by_label("Small")).to_be_checked()


@needs_axe
def test_axe_finds_nothing_against_the_systems_theme(chat: ChatPage) -> None:
    dialog = open_settings(chat)
    choose(dialog, "Dark")
    assert find_serious(chat) == []
    choose(dialog, "Light")
    chat.page.emulate_media(color_scheme="dark")
    assert find_serious(chat, rules=RULES_OF_LOOKS) == []
