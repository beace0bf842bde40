"""Chats without memory: off, and temporary ones, of which nothing is stored anywhere."""

from __future__ import annotations

import threading
from pathlib import Path

from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.axe import LOOKS, find_in_looks
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.e2e.test_erasure import MARK, places
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.services import Services
from tests.waiting import wait_for


def choose(chat: ChatPage, mode: str) -> None:
    chat.page.locator("#choice").get_by_text(mode, exact=True).click()


def note(chat: ChatPage) -> Locator:
    return chat.page.locator("#mode-note")


def set_width(chat: ChatPage, width: int) -> None:
    chat.page.set_viewport_size({"width": width, "height": 800})


def test_a_chat_without_memory_says_so_and_learn_only_stays_for_the_next_one(
    chat: ChatPage,
) -> None:
    widths = [width for width, _ in LOOKS]
    choose(chat, "Off")
    chat.ask("Hello.")
    for width in widths:
        set_width(chat, width)
        expect(note(chat)).to_have_text(
            "Memory is off in this chat: it is stored, but nothing is recalled or learned."
        )
    chat.page.reload()
    for width in widths:
        set_width(chat, width)
        expect(note(chat)).to_be_visible()
    chat.open("/")
    expect(chat.page.get_by_label("On", exact=True)).to_be_checked()
    for width in widths:
        set_width(chat, width)
        expect(note(chat)).to_be_hidden()

    choose(chat, "Learn only")
    choose(chat, "Off")
    chat.ask("Hello.")
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.get_by_label("Learn only", exact=True)).to_be_checked()


def test_a_message_sent_before_the_agents_are_known_has_its_chips_later(
    open_page: OpenPage, scripted_site: Site
) -> None:
    """The default answers it. The chips open the conversation's settings."""
    chat = open_page(scripted_site.url, path=NOTHING)
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    chat.route("**/api/v1/agents*", hold)
    chat.open()
    chat.ask("Hello.")
    general = chat.page.locator("#chips").get_by_role("button", name="General")
    expect(general).to_have_count(0)
    assert routes
    for route in routes:
        route.continue_()
    expect(general).to_be_visible()

    chat.page.locator("#chips").get_by_role("button", name="Memory on").focus()
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="This conversation")
    dialog.get_by_label("Learn only").check()
    dialog.get_by_role("button", name="Save").click()
    learns = chat.page.locator("#chips").get_by_role("button", name="Learns only")
    expect(learns).to_be_focused()


def test_a_temporary_chat_fits_and_is_accessible_and_its_chips_lead_nowhere(
    chat: ChatPage,
) -> None:
    choose(chat, "Temporary")
    for width, _ in LOOKS:
        set_width(chat, width)
        assert chat.page.evaluate(OVERFLOW) == 0
    chat.ask("Hello.")
    expect(chat.page.locator("#chips")).to_contain_text("Temporary")
    expect(chat.page.locator("#chips").get_by_role("button")).to_have_count(0)
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
    chat.page.get_by_role("link", name="New chat").click()
    choose(chat, "On")
    chat.ask("Hello again.")
    expect(chat.page.locator("#chips").get_by_role("button")).to_have_count(2)


def test_a_temporary_chat_goes_on_in_the_browser_alone(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    choose(chat, "Temporary")
    chat.ask("My cat is Tom.")
    expect(note(chat)).to_contain_text("nothing of it is stored")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    for name in (".provenance", ".ratings", ".again"):
        expect(chat.replies.first.locator(name)).to_be_hidden()
    chat.box.press("ArrowUp")
    expect(chat.page.locator(".editing")).to_have_count(0)
    model_server.script(
        Scripted(text="one two three " * 30, goes_on=threading.Event(), held_after=10)
    )
    chat.send("Who is Tom?")
    expect(chat.reply_text).to_contain_text("three")
    chat.stop_button.click()
    expect(chat.replies.last).to_contain_text("Stopped.")
    chat.ask("And then?")
    texts = [m["content"] for m in model_server.requests[-1].body["messages"][1:]]
    assert texts[:3] == ["My cat is Tom.", "Hello from the fake.", "Who is Tom?"]
    assert texts[-1] == "And then?"
    chat.page.reload()
    expect(chat.replies).to_have_count(0)
    assert "Tom" not in chat.page.evaluate("JSON.stringify(localStorage)")


def test_a_secret_that_is_typed_there_is_nowhere_afterwards(
    memory_site: Site, services: Services, open_page: OpenPage
) -> None:
    site, folder = memory_site, Path(memory_site.environment["DATA_DIR"])
    chat = open_page(site.url)
    choose(chat, "Temporary")
    chat.box.fill(f"half a {MARK}")
    assert MARK not in chat.page.evaluate("JSON.stringify(localStorage)")
    chat.ask(f"My name is {MARK} and I live in {MARK}.")
    chat.ask(f"What do you know of {MARK}?")
    chat.box.fill(f"another {MARK}")
    assert MARK not in chat.page.evaluate("JSON.stringify(localStorage)")
    later = site.chat("I live in Oslo.")["conversation_id"]
    wait_for(lambda: site.get("/api/v1/facts")["facts"])  # whatever could follow came before this
    assert places(site, services.valkey, folder) == []
    conversations = site.get("/api/v1/conversations")["conversations"]
    assert [conversation["conversation_id"] for conversation in conversations] == [later]
    assert [fact["value"] for fact in site.get("/api/v1/facts")["facts"]] == ["Oslo"]
