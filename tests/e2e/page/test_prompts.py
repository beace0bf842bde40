"""Prompts on the page: written, found by a slash, put into a message with their gaps."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import LOOKS, find_in_looks, needs_axe
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.waiting import PATIENCE_S

PROMPTS = "/api/v1/prompts"
LETTER = "Write a letter to {{name}} about {{matter}}."
SELECTED = "box => box.value.slice(box.selectionStart, box.selectionEnd)"


@pytest.fixture
def site(scripted_site: Site) -> Iterator[Site]:
    """Without the prompts that a test writes."""
    yield scripted_site
    for prompt in scripted_site.get("/api/v1/prompts")["prompts"]:
        url = f"{scripted_site.url}{PROMPTS}/{prompt['prompt_id']}"
        httpx.delete(url, timeout=PATIENCE_S).raise_for_status()


def keep(site: Site, name: str, text: str) -> None:
    site.post(PROMPTS, {"name": name, "text": text})


def options(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("listbox", name="Prompts").get_by_role("option")


def dialog_of(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("dialog", name="Prompts", exact=True)


def select_out_of(dialog: Locator) -> None:
    """Select text in the dialog, and let the mouse go beside it: the dialog stays."""
    field, mouse = dialog.get_by_label("Text"), dialog.page.mouse
    box = field.bounding_box()
    assert box is not None
    mouse.move(box["x"] + 20, box["y"] + 10)
    mouse.down()
    mouse.move(4, 4)
    mouse.up()
    expect(field).to_have_value(LETTER)
    expect(dialog).to_be_visible()


def test_a_slash_finds_a_prompt_whose_gaps_are_filled_in(
    open_page: OpenPage, site: Site, model_server: FakeOpenAI
) -> None:
    keep(site, "letter", LETTER)
    keep(site, "sum up", "Say it in three points.")
    chat = open_page(site.url)
    find_by_slash(chat)
    chat.box.press("Tab")
    expect(chat.box).to_have_value(LETTER)
    expect(options(chat)).to_have_count(0)
    expect(chat.box).not_to_have_attribute("aria-activedescendant", re.compile("."))
    assert chat.box.evaluate(SELECTED) == "{{name}}"
    chat.page.keyboard.type("Ada")
    chat.box.press("Tab")
    assert chat.box.evaluate(SELECTED) == "{{matter}}"
    chat.page.keyboard.type("tea")
    chat.box.press("Tab")  # there is no gap left: the focus goes on
    expect(chat.box).not_to_be_focused()
    chat.page.reload()
    expect(chat.box).to_have_value("Write a letter to Ada about tea.")  # it was a draft
    chat.box.press("Enter")
    chat.wait_for_end()
    expect(chat.questions.last).to_have_text("Write a letter to Ada about tea.")
    chat.box.press_sequentially("/let")
    expect(options(chat)).to_have_count(1)
    chat.box.press("Tab")
    assert chat.box.evaluate(SELECTED) == "{{name}}"
    chat.box.press("Enter")
    chat.wait_for_end()
    chat.box.fill("What is {{this}}?")
    chat.box.press("Home")
    chat.box.press("Tab")  # its gaps went with the prompt that was sent
    expect(chat.box).not_to_be_focused()
    chat.box.fill("")
    look_at_a_prompt_that_waits(chat, model_server)


def find_by_slash(chat: ChatPage) -> None:
    chat.box.press_sequentially("/")
    expect(options(chat)).to_have_count(3)  # one of them leads to the dialog
    expect(chat.page.locator("#announcer")).to_contain_text("2 prompts.")
    chat.box.press_sequentially("points")
    expect(options(chat)).to_have_count(1)
    expect(options(chat)).to_contain_text("sum up")
    options(chat).hover()  # the pointer rests there, and selects nothing when a list opens
    chat.box.fill("")
    expect(options(chat)).to_have_count(0)
    chat.box.press_sequentially("/")
    expect(options(chat).first).to_have_attribute("aria-selected", "true")
    chat.box.press("ArrowDown")
    second = options(chat).nth(1)
    expect(second).to_have_attribute("aria-selected", "true")
    expect(chat.box).to_have_attribute("aria-activedescendant", second.get_attribute("id") or "")
    options(chat).first.hover()
    expect(chat.box).to_have_attribute("aria-activedescendant", "prompts-option-0")


def look_at_a_prompt_that_waits(chat: ChatPage, model_server: FakeOpenAI) -> None:
    """For the reply that is being written."""
    model_server.script(Scripted(text="word " * 60, goes_on=threading.Event()))
    chat.send("Count.")
    expect(chat.stop_button).to_be_visible()
    chat.box.press_sequentially("/sum")
    expect(options(chat)).to_have_count(1)
    chat.box.press("Escape")  # closes the list, and does not stop the reply
    expect(options(chat)).to_have_count(0)
    expect(chat.box).to_have_value("/sum")
    chat.box.fill("")
    chat.box.press_sequentially("/sum")
    options(chat).click()
    expect(chat.box).to_be_focused()
    chat.box.press("Enter")
    expect(chat.page.locator(".queued")).to_contain_text("Say it in three points.")
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.box).to_have_value("Say it in three points.")  # the queue gives it back
    expect(options(chat)).to_have_count(0)


def test_what_no_prompt_matches_is_sent_as_it_is(open_page: OpenPage, site: Site) -> None:
    keep(site, "letter", LETTER)
    chat = open_page(site.url)
    chat.page.locator("#choice").get_by_text("Temporary", exact=True).click()
    chat.box.press_sequentially("/")
    expect(options(chat)).to_have_count(2)
    chat.box.press_sequentially("etc/hosts?")
    expect(options(chat)).to_have_count(0)
    chat.box.press("Enter")
    expect(chat.questions.last).to_have_text("/etc/hosts?")
    chat.wait_for_end()
    chat.box.press_sequentially("/let")
    expect(options(chat)).to_have_count(1)
    chat.box.press("Enter")
    expect(chat.box).to_have_value(LETTER)
    assert "letter" not in chat.page.evaluate("JSON.stringify(localStorage)")
    chat.box.fill("and/or")
    chat.box.press("End")
    chat.box.press_sequentially("/")
    expect(options(chat)).to_have_count(0)
    chat.box.fill("")
    urls: list[str] = []
    chat.page.on(
        "request",
        lambda request: urls.append(request.url) if "/api/v1/prompts" in request.url else None,
    )
    cdp = chat.page.context.new_cdp_session(chat.page)
    cdp.send("Input.imeSetComposition", {"text": "/", "selectionStart": 1, "selectionEnd": 1})
    expect(chat.box).to_have_value("/")
    expect(options(chat)).to_have_count(0)  # while an input method composes
    cdp.send("Input.insertText", {"text": "/"})
    expect(options(chat)).to_have_count(2)
    assert len(urls) == 1  # none was asked for until then


def test_prompts_are_written_changed_and_brought_back(open_page: OpenPage, site: Site) -> None:
    chat = open_page(site.url)
    chat.box.press_sequentially("/")
    expect(options(chat)).to_have_text(["Write a prompt…"])
    chat.box.press("Enter")
    dialog = dialog_of(chat)
    expect(dialog.get_by_role("heading", name="New prompt")).to_be_focused()
    dialog.get_by_label("Name").fill("/letter")
    dialog.get_by_label("Text").fill(LETTER)
    select_out_of(dialog)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".token")).to_contain_text(LETTER)
    chat.page.keyboard.press("Escape")
    expect(chat.box).to_be_focused()
    expect(options(chat).first).to_contain_text("letter")
    chat.box.press("Escape")
    chat.box.fill("")

    chat.page.keyboard.press("Control+k")
    chat.page.get_by_label("Search everything said").fill("prompts")
    chat.page.get_by_role("option", name="Prompts").click()
    dialog.get_by_role("button", name="Change").click()
    dialog.get_by_label("Name").fill("post")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".token strong")).to_have_text(["post"])
    keep(site, "letter", "Another")
    dialog.get_by_role("button", name="Change").click()
    dialog.get_by_label("Name").fill("letter")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose another name")
    chat.expect_problem("409")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.locator(".token").filter(has_text="post").get_by_role("button", name="Delete").click()
    expect(dialog.locator(".token strong")).to_have_text(["letter"])
    expect(dialog.get_by_role("button", name="Undo")).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(dialog.locator(".token strong")).to_have_text(["letter", "post"])
    expect(dialog.get_by_role("button", name="Undo")).to_have_count(0)
    chat.page.keyboard.press("Escape")
    chat.button("Settings").click()
    chat.button("Your prompts").click()
    expect(dialog.locator(".token")).to_have_count(2)


@needs_axe
def test_list_and_dialog_fit_and_axe_finds_nothing(open_page: OpenPage, site: Site) -> None:
    keep(site, "x" * 60, "A long text. " * 60)
    keep(site, "letter", LETTER)
    chat = open_page(site.url, height=640)
    chat.box.press_sequentially("/")
    expect(options(chat)).to_have_count(3)
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 640})
        box = chat.page.locator("#prompts-options").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
    findings = [find_in_looks(chat)]
    options(chat).last.click()
    dialog = dialog_of(chat)
    expect(dialog.locator(".token")).to_have_count(2)
    findings.append(find_in_looks(chat))
    dialog.get_by_role("button", name="Change").first.click()
    findings.append(find_in_looks(chat))
    assert not any(any(looks.values()) for looks in findings), findings
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 640})
        assert dialog.evaluate("d => d.scrollWidth <= d.clientWidth")
