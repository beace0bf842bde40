"""What stands in a file is found, and recalled in another chat."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_attachments import choose, shown, tray
from tests.e2e.page.test_search import group, search
from tests.e2e.site import Site
from tests.waiting import wait_for

WORK_S = 120


def test_a_file_is_found_by_its_text_and_recalled_in_another_chat(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    text = b"The kiln in the yard is fired with beechwood by Meridian Pottery."
    choose(chat, {"name": "kiln.md", "mimeType": "text/markdown", "buffer": text})
    expect(tray(chat)).to_contain_text("65 byte")  # it has arrived
    chat.ask("Read this, please.")
    conversation_id = chat.conversation_id
    wait_for(lambda: memory_site.get("/api/v1/search?q=beechwood")["files"], WORK_S)
    other = open_page(memory_site.url)
    other.ask("Who fires the kiln in the yard?")
    other.page.locator(".provenance summary").click()
    source = other.page.locator(".provenance-source").filter(has_text="kiln.md")
    expect(source).to_contain_text("From the file kiln.md in")
    expect(source).to_contain_text("fired with beechwood")
    search(other, "beechwood")
    hit = group(other, "Files (1)").get_by_role("option")
    expect(hit).to_contain_text("kiln.md")
    expect(hit.locator("mark")).to_have_text("beechwood")
    hit.click()
    expect(other.page).to_have_url(f"{memory_site.url}/c/{conversation_id}#0")
    expect(shown(other).get_by_role("link", name="kiln.md")).to_be_visible()
