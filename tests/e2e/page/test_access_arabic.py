"""No serious finding of axe from right to left: files, and the dialogs that have forms."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.e2e.page.axe import LOOKS, find_in_looks, needs_axe
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_attachments import NOTES, picture
from tests.e2e.site import Site
from web.pages.texts import read_texts

TEXTS = read_texts("ar")
FITS = "node => node.scrollWidth <= node.clientWidth"

pytestmark = needs_axe


def open_dialog(chat: ChatPage, opener: str, title: str) -> None:
    chat.page.locator(opener).click()
    dialog = chat.page.get_by_role("dialog", name=TEXTS[title], exact=True)
    expect(dialog).to_be_visible()
    chat.page.wait_for_load_state("networkidle")
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert dialog.evaluate(FITS)


def test_files_and_dialogs_fit_and_axe_finds_nothing(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, locale="ar")
    expect(chat.page.locator("html")).to_have_attribute("dir", "rtl")
    findings = {}

    open_dialog(chat, "#personas-open", "personas.title")
    findings["personas"] = find_in_looks(chat)
    chat.page.keyboard.press("Escape")

    chat.page.locator("#attach-files").set_input_files([NOTES, picture()])
    expect(chat.page.locator("#composer .file")).to_have_count(2)
    expect(chat.page.locator("#composer .file progress")).to_have_count(0)
    findings["composer"] = find_in_looks(chat)
    chat.page.locator("#message").fill("ما لون هذه الصورة؟")
    chat.page.locator("#message").press("Enter")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    expect(chat.page.locator(".message.is-user img")).to_be_visible()
    findings["reply"] = find_in_looks(chat)

    chat.page.locator("#conversation-open").click()
    open_dialog(chat, "#conversation-share", "share.title")
    chat.page.locator("#share [type=submit]").click()
    expect(chat.page.locator("#share .token-text code")).to_be_focused()
    findings["share"] = find_in_looks(chat)
    chat.page.keyboard.press("Escape")
    if chat.page.locator("dialog[open]").count():
        chat.page.keyboard.press("Escape")

    chat.page.locator('[data-opens-dialog="settings"]').click()
    chat.page.locator("#settings-tab-models").click()
    open_dialog(chat, "#models-open", "models.title")
    findings["models"] = find_in_looks(chat)
    text = json.dumps(findings, indent=1, ensure_ascii=False)
    assert not any(any(looks.values()) for looks in findings.values()), text
