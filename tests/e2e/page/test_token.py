"""The page of a site on one's own machine: it asks for its token, and for patience."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import MakeSite
from tests.e2e.page.conftest import OpenPage

TOKEN = "correct-horse-battery"  # noqa: S105


def test_the_token_is_asked_for_once_and_a_quota_that_is_used_up_is_told_where_one_writes(
    open_page: OpenPage, make_site: MakeSite
) -> None:
    site = make_site("web", LOCAL_TOKEN=TOKEN, QUOTA_ROUNDS_PER_DAY="1")
    chat = open_page(site.url, path="/c/some-chat", is_new=True)
    page = chat.page
    field = page.get_by_label("Token")
    expect(field).to_be_focused()
    field.fill("wrong")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not this site's token")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Enter").click()
    expect(chat.box).to_be_visible()
    assert "token" not in page.url
    chat.permit_problem("status of 40")
    chat.open()
    expect(chat.box).to_be_visible()

    chat.ask("Hello")
    chat.send("And again")
    expect(page.get_by_role("alert")).to_contain_text("all of today's replies (1)")
    expect(chat.box).to_have_value("And again")
    chat.expect_problem("429")
    usage = chat.open_settings("Activity").get_by_role("region", name="Usage")
    bar = usage.get_by_role("progressbar", name="Replies today")
    expect(bar).to_have_js_property("position", 1)
