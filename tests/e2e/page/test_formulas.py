"""Formulas in replies and messages are drawn, copied as TeX, and keep to their place."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_in_schemes
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import ROOT, Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

DRAWN = "span.math"
SOURCES = """nodes => nodes.map((node) => [
  node.querySelector('annotation').textContent.trim(), node.classList.contains('is-displayed'),
])"""
TOO_WIDE = "node => node.scrollWidth - node.clientWidth"


def answer(chat: ChatPage, model_server: FakeOpenAI, text: str) -> Locator:
    model_server.script(Scripted(text=text))
    chat.ask("Show me.")
    return chat.reply_text.locator(DRAWN)


def test_formulas_of_messages_are_drawn_and_everything_is_copied_as_tex(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    question = "Is $x^2$ more than `$y$`,\nfor $5 or **this**?\n$$\\int_0^1 x\\,dx$$\n\nThanks"
    answered = "Take $x_1$ here.\n\n$$y$$\n\nAnd *there*."
    model_server.script(Scripted(text=answered))
    chat.ask(question)
    drawn = chat.questions.locator(DRAWN)
    expect(drawn).to_have_count(2)
    assert drawn.evaluate_all(SOURCES) == [["x^2", False], [r"\int_0^1 x\,dx", True]]
    expect(chat.questions).to_contain_text("more than `$y$`,")
    expect(chat.questions).to_contain_text("for $5 or **this**?")
    expect(chat.reply_text.locator(DRAWN)).to_have_count(2)
    copy_button = chat.replies.last.get_by_role("button", name="Copy message")
    assert chat.copy_by(copy_button) == answered
    read = "navigator.clipboard.readText()"
    chat.reply_text.evaluate("node => getSelection().selectAllChildren(node)")
    chat.page.keyboard.press("Control+c")
    copied = [line for line in chat.page.evaluate(read).splitlines() if line]
    assert copied == ["Take $x_1$ here.", "$$y$$", "And there."]
    assert chat.reply_text.count() == 1


HOSTILE = json.loads(Path(ROOT, "tests", "hostile_texts.json").read_text())["formulas"]
OF_OTHERS = "a, img, iframe, script, style, form, [onerror], [id], [data-markdown]"
# Looks at once: the page may scroll by itself when what is drawn in it has another height.
COVERED = """nodes => nodes.filter((node) => {
  node.scrollIntoView({ block: 'center' });
  const { left, top, height } = node.getBoundingClientRect();
  return !node.contains(document.elementFromPoint(left + 5, top + height / 2));
}).map((node) => node.textContent)"""


def test_hostile_tex_is_inert_and_stays_in_its_place(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    urls: list[str] = []
    chat.page.on("request", lambda request: urls.append(request.url))
    for number, text in enumerate(HOSTILE):
        model_server.script(Scripted(text=f"Before.\n\n{text}\n\nAfter.\n\n$z_{number}$"))
        chat.ask(text)
        last = chat.reply_text.locator(f"{DRAWN} annotation", has_text=f"z_{number}")
        expect(last).to_have_count(1)
        words = chat.reply_text.last.locator(".block > p", has_text="Before.")
        assert words.evaluate_all(COVERED) == []
        assert chat.page.locator("#title").evaluate_all(COVERED) == []
    expect(chat.page.locator(".message-body").locator(OF_OTHERS)).to_have_count(0)
    assert chat.page.evaluate("window.harmed") is None
    assert chat.page.evaluate(OVERFLOW) == 0
    assert chat.page.locator("#scroller").evaluate(TOO_WIDE) == 0
    assert not any("example.org" in url for url in urls)


def test_katex_is_loaded_with_the_first_formula_and_the_printed_page_has_it_too(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    urls: list[str] = []
    chat.page.on("request", lambda request: urls.append(request.url))
    chat.page.reload()
    model_server.script(Scripted(text="It costs `$5$`."))
    chat.ask("How much?")
    assert not any("katex" in url for url in urls)
    expect(answer(chat, model_server, "So $x$:\n\n$$y$$")).to_have_count(2)
    assert any(url.endswith("katex.css") for url in urls)
    printed = "document.body.dataset.formulas = document.querySelectorAll('.katex').length"
    chat.run_first(f"window.print = () => {{ {printed}; }}")
    chat.open(f"/c/{chat.conversation_id}/print")
    expect(chat.page.locator("body")).to_have_attribute("data-formulas", "2")


def test_formulas_fit_a_phone_and_axe_finds_nothing(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    long = " + ".join(f"x_{{{number}}}" for number in range(14))  # wider than a phone
    chat = open_page(scripted_site.url, width=360)
    text = f"So ${long}$ and $\\overbrace{{{long}}}$:\n\n$${long}$$\n\n- $\\frac{{1}}{{{long}}}$"
    expect(answer(chat, model_server, text)).to_have_count(4)
    assert chat.page.evaluate(OVERFLOW) == 0
    assert chat.page.locator("#scroller").evaluate(TOO_WIDE) == 0
    expect(chat.reply_text.locator(".block[tabindex], .is-displayed[tabindex]")).to_have_count(3)
    assert find_in_schemes(chat) == []
