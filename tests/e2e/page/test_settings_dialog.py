"""The dialog of settings: API tokens, what was used, and who did what."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import SCHEMES
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.waiting import PATIENCE_S


@pytest.fixture
def chat(open_page: OpenPage, memory_site: Site) -> ChatPage:
    return open_page(memory_site.url)


def make_token(dialog: Locator, name: str) -> str:
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Make a token").click()
    code = dialog.locator("#new-token code")
    expect(code).to_be_focused()
    return code.inner_text()


def ask_with(token: str, site: Site) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{site.url}/api/v1/facts", headers=headers, timeout=PATIENCE_S).status_code


def test_a_token_is_made_copied_used_and_revoked(chat: ChatPage, memory_site: Site) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog = chat.open_settings("Programs")
    expect(dialog).to_contain_text("You have no tokens.")
    refuse_a_token_without_a_scope(dialog)
    dialog.get_by_label("Read memory").check()
    token = make_token(dialog, "my editor")
    assert chat.copy_by(chat.button("Copy the token")) == token
    rows = dialog.locator(".token")
    expect(rows).to_contain_text(["my editor"])
    expect(rows).to_contain_text("Chat · Read memory")
    expect(rows).to_contain_text("Never used.")
    assert ask_with(token, memory_site) == 200
    dialog.get_by_role("button", name="Close").click()
    chat.open_settings("Activity")
    events = dialog.get_by_role("region", name="Activity").locator(".event")
    expect(events.filter(has_text="API token made")).to_have_count(1)
    expect(events.filter(has_text="Memory read").filter(has_text="with API token")).to_have_count(1)
    dialog.get_by_role("tab", name="Programs").click()
    expect(rows).to_contain_text("Last used:")
    expect(dialog.locator("#new-token")).to_be_hidden()
    assert token not in chat.page.content()
    dialog.get_by_role("button", name="Revoke the token “my editor”").click()
    chat.question.get_by_role("button", name="Revoke").click()
    expect(dialog).to_contain_text("You have no tokens.")
    expect(dialog.get_by_label("Name")).to_be_focused()
    assert ask_with(token, memory_site) == 401


def refuse_a_token_without_a_scope(dialog: Locator) -> None:
    scope = dialog.get_by_role("checkbox", name="Chat Send messages")
    scope.uncheck()
    dialog.get_by_label("Name").fill("for nothing")
    dialog.get_by_role("button", name="Make a token").click()
    expect(dialog.get_by_role("alert")).to_have_text("Tick what the program may do.")
    expect(dialog.get_by_label("Name")).to_have_value("for nothing")
    scope.check()


def test_a_token_is_made_with_the_keyboard_alone_and_readable_on_a_narrow_screen(
    chat: ChatPage,
) -> None:
    chat.page.get_by_role("button", name="Settings", exact=True).focus()
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("tab", name="General").focus()
    chat.page.keyboard.press("End")
    expect(dialog.get_by_role("tab", name="Activity")).to_be_focused()
    expect(dialog.get_by_role("tabpanel", name="Activity")).to_be_visible()
    chat.page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("tab", selected=True)).to_have_text("Programs")
    expect(dialog.get_by_role("tabpanel")).to_have_count(1)
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

    chat.page.set_viewport_size({"width": 360, "height": 800})
    chat.button("Show conversations").click()
    chat.open_settings("Programs")
    make_token(dialog, "narrow " * 14)
    for scheme in SCHEMES:
        chat.page.emulate_media(color_scheme=scheme)
        width = dialog.evaluate("dialog => [dialog.scrollWidth, dialog.clientWidth]")
        assert width[0] == width[1]


def test_usage_counts_what_was_said_and_what_memory_is_to_note_is_kept(
    chat: ChatPage, memory_site: Site
) -> None:
    quotas = memory_site.get("/api/v1/me/quotas")["quotas"]
    before = next(quota["used"] for quota in quotas if quota["name"] == "rounds")
    chat.ask("My name is Ada.")
    dialog = chat.open_settings("Activity")
    usage = dialog.get_by_role("region", name="Usage")
    expect(usage).to_contain_text(f"Replies today{before + 1}")
    expect(usage).to_contain_text("begin anew")

    dialog.get_by_role("tab", name="Memory").click()
    field = dialog.get_by_role("textbox", name="In your own words")
    field.fill("  Always note which projects I mention. ")
    form = dialog.locator("#memory-instructions")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("status")).to_have_text("Saved. It counts from your next message on.")
    expect(field).to_have_value("Always note which projects I mention.")
    chat.page.reload()
    chat.open_settings("Memory")
    expect(field).to_have_value("Always note which projects I mention.")
