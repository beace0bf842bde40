"""The page of the API's document."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.test_access import AXE, find_serious
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site

# One template writes all groups and schemas, and axe would take half a minute for them.
PARTS = ("header", "#chat", "#schema-ChatForm")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with `bin/page-tools`")
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_the_document_is_read_and_followed(
    open_page: OpenPage, site: Site, scheme: Scheme, width: int
) -> None:
    reference = open_page(site.url, path="/api/v1/docs", width=width, scheme=scheme)
    chat_round = reference.page.locator("#chat details", has_text="/api/v1/chat").first
    chat_round.locator("summary").click()
    chat_round.get_by_role("link", name="ChatForm").click()
    expect(reference.page.locator("#schema-ChatForm")).to_be_in_viewport()
    assert reference.page.evaluate(OVERFLOW) <= 0
    reference.page.evaluate(AXE.read_text())
    findings = find_serious(reference, *PARTS)
    assert findings == [], json.dumps(findings, indent=1)
