"""Personas on the page: written, chosen for a chat, changed and deleted."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import LOOKS, find_in_looks, needs_axe
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI
from tests.waiting import PATIENCE_S

PERSONAS = "/api/v1/personas"


@pytest.fixture
def site(scripted_site: Site) -> Iterator[Site]:
    """Without the personas that a test writes, before and after it."""
    yield scripted_site
    for persona in scripted_site.get(PERSONAS)["personas"]:
        url = f"{scripted_site.url}{PERSONAS}/{persona['persona_id']}"
        httpx.delete(url, timeout=PATIENCE_S).raise_for_status()


def open_personas(chat: ChatPage) -> Locator:
    chat.button("Write your own").click()
    return chat.page.get_by_role("dialog", name="Personas", exact=True)


def write(dialog: Locator, name: str, instructions: str) -> None:
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Instructions").fill(instructions)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".token").filter(has_text=name)).to_contain_text(instructions)


def test_a_persona_is_written_and_answers(
    open_page: OpenPage, site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(site.url)
    dialog = open_personas(chat)
    expect(dialog.get_by_role("heading", name="New persona")).to_be_focused()
    dialog.get_by_label("Memory in this chat").select_option("Learn only")
    write(dialog, "Pirate", "You are a pirate called Anne.")
    chat.page.keyboard.press("Escape")
    chat.page.get_by_label("Who answers").select_option("Pirate")
    expect(chat.page.locator("#mode-passive")).to_be_checked()
    chat.ask("Ahoy")
    expect(chat.page.locator("#chips")).to_contain_text("Pirate")
    expect(chat.page.locator("#chips")).to_contain_text("Learns only")
    prompts = [str(request.body["messages"][0]["content"]) for request in model_server.requests]
    assert "You are a pirate called Anne." in prompts[-1]
    chat.page.reload()
    expect(chat.page.locator("#chips")).to_contain_text("Pirate")


def test_each_chat_of_a_persona_begins_with_its_memory(open_page: OpenPage, site: Site) -> None:
    site.post(PERSONAS, {"name": "Priest", "instructions": "You listen.", "mode": "off"})
    chat = open_page(site.url)
    off, passive = chat.page.locator("#mode-off"), chat.page.locator("#mode-passive")
    chat.page.get_by_label("Who answers").select_option("Priest")
    chat.ask("I have sinned.")
    chat.page.get_by_role("link", name="New chat").click()
    expect(off).to_be_checked()
    chat.page.reload()
    expect(off).to_be_checked()
    chat.ask("And again.")
    expect(chat.page.locator("#chips")).to_contain_text("Memory off")
    chat.page.get_by_role("link", name="New chat").click()
    chat.page.locator("#choice").get_by_text("Learn only", exact=True).click()
    dialog = open_personas(chat)
    dialog.get_by_role("button", name="Change").click()
    write(dialog, "Bishop", "You listen.")
    expect(chat.page.locator("#agent")).to_contain_text("Bishop")
    expect(passive).to_be_checked()  # as the reader has chosen
    chat.page.keyboard.press("Escape")
    chat.page.get_by_role("link", name="New chat").click()
    expect(off).to_be_checked()
    chat.page.get_by_label("Who answers").select_option("General")
    expect(passive).to_be_checked()  # as in the last chat without a persona


def test_a_persona_is_changed_and_deleted(open_page: OpenPage, site: Site) -> None:
    site.post(PERSONAS, {"name": "Pirate", "instructions": "You are a pirate."})
    site.post(PERSONAS, {"name": "Baker", "instructions": "You are a baker."})
    chat = open_page(site.url)
    chat.page.get_by_label("Who answers").select_option("Pirate")
    chat.ask("Ahoy")
    chat.page.get_by_role("link", name="New chat").click()
    dialog = open_personas(chat)
    dialog.locator(".token").filter(has_text="Pirate").get_by_role("button", name="Change").click()
    dialog.get_by_label("Name").fill("Baker")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose another name")
    chat.expect_problem("409")
    write(dialog, "Captain", "You are a captain.")
    expect(chat.page.locator("#agent")).to_contain_text("Captain")
    row = dialog.locator(".token").filter(has_text="Captain")
    row.get_by_role("button", name="Delete").click()
    expect(chat.question).to_contain_text("“Captain”")
    chat.question.get_by_role("button", name="Delete").click()
    expect(dialog.locator(".token")).to_have_count(1)
    chat.page.keyboard.press("Escape")
    expect(chat.page.locator("#agent")).not_to_contain_text("Captain")
    expect(chat.page.locator("#agent")).to_have_value("general")
    chat.page.go_back()
    expect(chat.page.locator("#chips")).to_contain_text("General")


@needs_axe
def test_the_dialog_fits_and_axe_finds_nothing(open_page: OpenPage, site: Site) -> None:
    site.post(PERSONAS, {"name": "x" * 60, "instructions": "You are a pirate. " * 60})
    chat = open_page(site.url)
    dialog = open_personas(chat)
    expect(dialog.locator(".token")).to_have_count(1)
    findings = [find_in_looks(chat)]
    dialog.get_by_role("button", name="Change").click()
    findings.append(find_in_looks(chat))
    assert not any(any(looks.values()) for looks in findings), findings
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert dialog.evaluate("d => d.scrollWidth <= d.clientWidth")
