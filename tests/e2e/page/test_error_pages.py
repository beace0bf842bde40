"""The page that a browser gets where there is nothing."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.axe import find_in_looks
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site


def test_an_unknown_address_leads_back_to_the_chat(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, path="/nothing")
    expect(chat.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
    chat.expect_problem("404")
    chat.page.get_by_role("link", name="Back to the chat").click()
    expect(chat.box).to_be_focused()
