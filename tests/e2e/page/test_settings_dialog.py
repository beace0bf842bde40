"""The dialog of settings: API tokens are made, copied once, and revoked."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.site import Site


@pytest.fixture
def chat(open_page: OpenPage, memory_site: Site) -> ChatPage:
    return open_page(memory_site.url)


def open_settings(chat: ChatPage) -> Locator:
    chat.button("Settings").click()
    return chat.page.get_by_role("dialog", name="Settings")


def make_token(dialog: Locator, name: str) -> str:
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Make a token").click()
    shown = dialog.locator("#new-token code")
    expect(shown).to_be_focused()
    return shown.inner_text()


def ask_with(token: str, site: Site) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{site.url}/api/facts", headers=headers, timeout=30).status_code


def test_a_token_is_made_used_and_revoked(chat: ChatPage, memory_site: Site) -> None:
    dialog = open_settings(chat)
    expect(dialog).to_contain_text("You have no tokens.")
    dialog.get_by_label("Read memory").check()
    token = make_token(dialog, "my editor")
    assert ask_with(token, memory_site) == 200
    rows = dialog.locator(".token")
    expect(rows).to_contain_text(["my editor"])
    expect(rows).to_contain_text("Chat · Read memory")
    expect(rows).to_contain_text("Never used.")
    dialog.get_by_role("button", name="Close").click()
    open_settings(chat)
    expect(rows).to_contain_text("Last used:")
    expect(dialog.locator("#new-token")).to_be_hidden()
    assert token not in chat.page.content()
    dialog.get_by_role("button", name="Revoke the token “my editor”").click()
    chat.question.get_by_role("button", name="Revoke").click()
    expect(dialog).to_contain_text("You have no tokens.")
    expect(dialog.get_by_label("Name")).to_be_focused()
    assert ask_with(token, memory_site) == 401


def test_a_token_is_copied_by_its_button(chat: ChatPage) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    token = make_token(open_settings(chat), "a script")
    chat.button("Copy the token").click()
    expect(chat.page.locator("#new-token [role=status]")).to_have_text("Copied")
    assert chat.page.evaluate("navigator.clipboard.readText()") == token


def test_a_token_is_made_with_the_keyboard_alone(chat: ChatPage) -> None:
    chat.button("Settings").focus()
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="Settings")
    dialog.get_by_label("Name").focus()
    chat.page.keyboard.type("by keys")
    chat.page.keyboard.press("Tab")  # to the first scope
    chat.page.keyboard.press("Space")
    chat.page.keyboard.press("Tab")
    chat.page.keyboard.press("Space")
    chat.page.keyboard.press("Enter")
    expect(dialog.locator("#new-token code")).to_be_focused()
    expect(dialog.locator(".token")).to_contain_text("Read memory")
    chat.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_token_without_a_scope_is_refused_with_a_reason(chat: ChatPage) -> None:
    dialog = open_settings(chat)
    dialog.get_by_label("Chat", exact=False).first.uncheck()
    dialog.get_by_label("Name").fill("for nothing")
    dialog.get_by_role("button", name="Make a token").click()
    expect(dialog.get_by_role("alert")).to_contain_text("scopes")
    expect(dialog.get_by_label("Name")).to_have_value("for nothing")
    chat.expect_problem("400")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_new_token_is_readable_on_a_narrow_screen(
    open_page: OpenPage, memory_site: Site, scheme: Scheme
) -> None:
    chat = open_page(memory_site.url, width=360, scheme=scheme)
    chat.button("Show conversations").click()
    dialog = open_settings(chat)
    make_token(dialog, "narrow " * 14)
    width = dialog.evaluate("dialog => [dialog.scrollWidth, dialog.clientWidth]")
    assert width[0] == width[1]
