"""Deleting a message, and forgetting a fact everywhere, on the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site


def test_a_round_is_deleted_after_its_preview(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    chat.ask("My boat is called Albatross.")
    chat.ask("How do tides work?")
    first = chat.page.locator('.message[data-sequence="0"]')
    first.hover()
    first.get_by_role("button", name="Delete message…").click()
    dialog = chat.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("My boat is called Albatross.")
    expect(dialog).to_contain_text("2 messages")
    expect(dialog).to_contain_text("backups of this site are not changed")
    dialog.get_by_label("With the reply to it").uncheck()
    expect(dialog).to_contain_text("1 message")
    dialog.get_by_label("With the reply to it").check()
    expect(dialog).to_contain_text("2 messages")
    dialog.get_by_role("button", name="Cancel").click()
    expect(first).to_contain_text("Albatross")
    first.hover()
    first.get_by_role("button", name="Delete message…").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(chat.page.locator(".message.is-deleted")).to_have_count(2)
    chat.page.reload()
    expect(chat.page.locator(".message.is-deleted")).to_have_count(2)
    expect(chat.page.locator("#messages")).not_to_contain_text("Albatross")
    chat.ask("And why twice a day?")


def test_a_fact_is_forgotten_everywhere(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    chat.ask("My bicycle is called Rosinante.")
    row = chat.panel.locator(".fact").filter(has_text="Rosinante")
    expect(row).to_be_visible(timeout=WORK_MS)
    row.locator("summary").click()
    row.get_by_role("button", name="Forget everywhere…").click()
    dialog = chat.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Forget “your bicycle is called Rosinante” everywhere?")
    expect(dialog).to_contain_text("My bicycle is called Rosinante.")
    expect(dialog).to_contain_text("backups of this site are not changed")
    dialog.get_by_role("button", name="Forget everywhere").click()
    expect(row).to_have_count(0, timeout=WORK_MS)
    expect(chat.page.locator(".message.is-deleted")).to_have_count(2)
    found = memory_site.get("/api/search?q=Rosinante")
    assert found["messages"] == []
