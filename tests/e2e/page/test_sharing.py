"""A chat is shared by a link: the dialog that makes and revokes it, and the page that it opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import LOOKS, find_in_looks
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.rows import choose
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

MARKED = "# Tea\n\n| leaf | minutes |\n| --- | ---: |\n| green | 3 |\n\n```py\nsteep(3)\n```"
WITHOUT_SCRIPTS = "document.querySelectorAll('script, iframe, img, form').length"


@pytest.fixture
def tea_site(scripted_site: Site, model_server: FakeOpenAI) -> Site:
    """Its next reply is Markdown."""
    model_server.script(Scripted(text=MARKED))
    return scripted_site


def open_dialog(chat: ChatPage) -> Locator:
    choose(chat, chat.conversation_id, "Share…")
    dialog = chat.page.get_by_role("dialog", name="Share this chat")
    expect(dialog).to_be_visible()
    return dialog


def make_link(dialog: Locator) -> str:
    dialog.get_by_role("button", name="Make a link").click()
    address = dialog.locator(".token-text code")
    expect(address).to_be_focused()
    return address.inner_text()


def links(dialog: Locator, title: str) -> Locator:
    return dialog.get_by_role("button", name=f"Revoke the link to {title}")


def test_a_link_is_made_opened_by_somebody_else_and_revoked(
    chat: ChatPage, open_page: OpenPage
) -> None:
    chat.ask("How is a heron called?")
    dialog = open_dialog(chat)
    expect(dialog.get_by_text("the link opens only here")).to_be_visible()
    expect(dialog.get_by_label("The link ends")).to_have_value("7")
    address = make_link(dialog)
    assert re.fullmatch(re.escape(chat.url) + r"/s/[\w-]{43}", address)
    expect(dialog.get_by_role("button", name="Copy the link")).to_be_visible()
    expect(links(dialog, "How is a heron called?")).to_have_count(1)
    path = address.removeprefix(chat.url)
    other = open_page(chat.url, path=path)
    expect(other.page.locator(".is-user .said")).to_have_text("How is a heron called?")
    expect(other.page.get_by_role("article")).to_have_count(2)
    links(dialog, "How is a heron called?").click()
    expect(links(dialog, "How is a heron called?")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Close").first).to_be_focused()
    other.page.reload()
    expect(other.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    other.expect_problem("404")


def test_dialog_and_page_fit_and_axe_finds_nothing(open_page: OpenPage, tea_site: Site) -> None:
    """The dialog opens from the chat's own settings, too; a link need not end by itself."""
    question = "How long does green tea take in a pot of glass?"
    conversation_id = tea_site.chat(question)["conversation_id"]
    chat = open_page(tea_site.url, path=f"/c/{conversation_id}")
    chat.button("This conversation’s settings").click()
    settings = chat.page.get_by_role("dialog", name="This conversation")
    settings.get_by_role("button", name="Share…").click()
    dialog = chat.page.get_by_role("dialog", name="Share this chat")
    dialog.get_by_label("The link ends").select_option("when I revoke it")
    path = make_link(dialog).removeprefix(chat.url)
    row = dialog.get_by_role("listitem").filter(has_text=question)
    expect(row).to_contain_text("It does not end by itself.")
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert chat.page.evaluate("document.querySelector('#share').scrollWidth <= innerWidth")
    findings = [find_in_looks(chat)]
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page = open_page(tea_site.url, path=path)
    expect(page.page.get_by_role("heading", name="Tea")).to_be_visible()
    expect(page.page.locator("table")).to_contain_text("green")
    expect(page.page.locator("pre")).to_have_text("steep(3)\n")
    assert page.page.evaluate(WITHOUT_SCRIPTS) == 0
    findings.append(find_in_looks(page))
    assert not any(any(looks.values()) for looks in findings), findings
