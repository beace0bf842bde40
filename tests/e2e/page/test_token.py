"""The page of a site on one's own machine, which asks for its token."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.e2e.conftest import MakeSite
from tests.e2e.page.tabs import make_profile

TOKEN = "correct-horse-battery"  # noqa: S105


def test_the_token_is_asked_for_once_and_then_remembered(
    browser: Browser, make_site: MakeSite
) -> None:
    site = make_site("web", LOCAL_TOKEN=TOKEN)
    with make_profile(browser) as context:
        page = context.new_page()
        page.goto(f"{site.url}/c/some-chat")
        field = page.get_by_label("Token")
        expect(field).to_be_focused()
        field.fill("wrong")
        field.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("not this site's token")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_role("textbox", name="Your message")).to_be_visible()
        assert "token" not in page.url
        page.goto(site.url)
        expect(page.get_by_role("textbox", name="Your message")).to_be_visible()
