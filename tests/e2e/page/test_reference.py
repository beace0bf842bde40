"""The page of the API's document."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.e2e.page.axe import LOOKS, find_in_looks, needs_axe
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site

# One template writes all groups and schemas, and axe would take half a minute for them: it reads
# the whole document also to look at a part. So all others are removed before.
PARTS = ("header", "#chat", "#schema-ChatForm")
REMOVE_OTHERS = """(parts) => {
  const kept = document.querySelectorAll(parts.join(', '));
  for (const node of document.querySelectorAll('main > section, main article')) {
    if (![...kept].some((part) => node.contains(part))) node.remove();
  }
}"""


@needs_axe
def test_the_document_is_read_and_followed(open_page: OpenPage, scripted_site: Site) -> None:
    reference = open_page(scripted_site.url, path="/api/v1/docs", width=360)
    chat_round = reference.page.locator("#chat details", has_text="/api/v1/chat").first
    chat_round.locator("summary").click()
    chat_round.get_by_role("link", name="ChatForm").click()
    expect(reference.page.locator("#schema-ChatForm")).to_be_in_viewport()
    for width, _ in LOOKS:
        reference.page.set_viewport_size({"width": width, "height": 800})
        assert reference.page.evaluate(OVERFLOW) <= 0
    reference.page.evaluate(REMOVE_OTHERS, PARTS)
    findings = find_in_looks(reference, *PARTS)
    assert not any(findings.values()), json.dumps(findings, indent=1)
