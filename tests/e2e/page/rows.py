"""Rows of the list of conversations, and their menus."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import ChatPage


def row(chat: ChatPage, conversation_id: str) -> Locator:
    return chat.page.locator(f"#conversation-{conversation_id}")


def open_menu(chat: ChatPage, conversation_id: str) -> Locator:
    row(chat, conversation_id).hover()
    chat.page.locator(f"#more-{conversation_id}").click()
    menu = chat.page.get_by_role("menu")
    expect(menu).to_be_visible()
    return menu


def choose(chat: ChatPage, conversation_id: str, item: str) -> None:
    open_menu(chat, conversation_id).get_by_role("menuitem", name=item).click()


def load_until(chat: ChatPage, conversation_id: str) -> None:
    """Other tests' chats may stand before it."""
    listed = chat.page.locator("#conversations .conversation")
    expect(listed).not_to_have_count(0)
    while not row(chat, conversation_id).count():
        count = listed.count()
        chat.button("Show older").click()
        expect(listed).not_to_have_count(count)


def group_of(chat: ChatPage, conversation_id: str) -> Locator:
    section = chat.page.locator("#conversations section").filter(has=row(chat, conversation_id))
    return section.get_by_role("heading")
