"""What a model writes is shown well, and can do nothing."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import ROOT, Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

CODE = "def walk():\n    return 1"
GOOD = f"# Plan\n\n| a | b |\n| --- | --: |\n| one | 2 |\n\n```python\n{CODE}\n```\n\n- [x] done"
HOSTILE = json.loads(Path(ROOT, "tests", "hostile_texts.json").read_text())["markdown"]
PASTE = """(box, text) => {
  box.focus();
  document.execCommand('insertText', false, text);
}"""
# The page's own icons are the only drawings here.
MADE_OF_MARKUP = "script, img, svg:not(.icon), style, form, input, iframe, math"


def test_tables_code_and_lists_are_drawn_and_copied_as_they_were_written(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    model_server.script(Scripted(text=GOOD))
    chat.ask("Plan it.")
    expect(chat.reply_text.get_by_role("heading", name="Plan")).to_be_visible()
    expect(chat.reply_text.get_by_role("cell")).to_have_text(["one", "2"])
    expect(chat.reply_text.locator(".hljs-keyword").first).to_have_text("def")
    expect(chat.reply_text.get_by_role("listitem")).to_have_text("☑ done")
    assert chat.copy_by(chat.button("Copy code")).rstrip("\n") == CODE
    copy_button = chat.replies.last.get_by_role("button", name="Copy message")
    assert chat.copy_by(copy_button) == GOOD


def list_ids(site: Site) -> set[str]:
    listed = site.get("/api/v1/conversations?limit=100")["conversations"]
    return {conversation["conversation_id"] for conversation in listed}


def open_imported(chat: ChatPage, site: Site, texts: list[str]) -> None:
    """Open a conversation in which each text was said by the user and by the model."""
    messages = [{"role": role, "content": text} for text in texts for role in ("user", "assistant")]
    before = list_ids(site)
    site.post("/api/v1/imports", [{"title": texts[0], "messages": messages}])
    [conversation_id] = list_ids(site) - before
    chat.open(f"/c/{conversation_id}")
    expect(chat.page.locator(".message-body")).to_have_count(len(messages))


def test_hostile_text_is_inert(
    chat: ChatPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    open_imported(chat, scripted_site, [f"Before.\n\n{text}\n\nAfter." for text in HOSTILE])
    model_server.script(Scripted(text="\n\n".join([*HOSTILE, "After all."])))
    chat.ask("Once more, as it is written.")
    expect(chat.reply_text).to_contain_text("After all.")
    inside = chat.page.locator(".message-body")
    for words in inside.get_by_text("click me").all():
        words.click()
    expect(inside).to_have_count(2 * len(HOSTILE) + 2)
    expect(inside.locator(MADE_OF_MARKUP)).to_have_count(0)
    expect(inside.locator("[style], [onerror], [onload], [onmouseover]")).to_have_count(0)
    expect(inside.locator("a")).to_have_count(0)
    assert chat.page.evaluate("window.harmed") is None
    assert len(chat.page.context.pages) == 1


def test_marks_that_turn_writing_around_turn_no_more_than_their_own_text(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(text="\u202eback to front"))
    chat.ask("\u202e\u2067gnp.exe")
    isolated = """place => [...document.querySelectorAll(place)]
        .map((node) => getComputedStyle(node).unicodeBidi)"""
    for place in (".message-body", ".conversation", "#title"):
        values = chat.page.evaluate(isolated, place)  # at one go: the list may be drawn anew
        assert set(values) <= {"isolate", "plaintext"}
        assert values


def test_a_hundred_kilobytes_of_one_word_are_said_and_answered(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    word = "x" * 100_000
    model_server.script(Scripted(text=word))
    chat.box.evaluate(PASTE, word)
    chat.box.press("Enter")
    expect(chat.reply_text).to_have_text(word)
    chat.wait_for_end()
    assert chat.questions.inner_text() == word
    assert chat.page.evaluate(OVERFLOW) == 0
    expect(chat.box).to_be_in_viewport()


def test_a_paste_that_is_too_long_is_refused_in_a_sentence_and_kept(chat: ChatPage) -> None:
    chat.box.evaluate(PASTE, "word " * 24_000)
    expect(chat.send_button).to_be_in_viewport()
    chat.box.press("Enter")
    alert = chat.page.get_by_role("alert")
    expect(alert).to_contain_text("119,999 characters, and the limit is 100,000")
    assert len(chat.box.input_value()) == 120_000
    chat.expect_problem("400")


ENDLESS = [
    "> " * 2_000 + "deep",
    "_a_" * 30_000,
    "*a **b " * 8_000,
    "[" * 30_000,
    "![a](" * 8_000,
    "`" * 5_000 + "a" + "``" * 9_000,
    "<" * 30_000,
    "\n".join("  " * depth + "- deep" for depth in range(300)),
    "- " * 2_000 + "deep",
    "1. > " * 1_000 + "deep",
    "a@b." * 10_000,
    "| a " * 5_000,
    "\\" * 30_000,
    "$a" * 20_000,
    "&amp" * 20_000,
]


def test_what_is_nested_or_repeated_without_end_opens_all_the_same(
    chat: ChatPage, scripted_site: Site
) -> None:
    open_imported(chat, scripted_site, ENDLESS)
    for text, reply in zip(ENDLESS, chat.replies.all(), strict=True):
        last_word = text.strip()[-4:].split()[-1].strip("_*") or "a"
        expect(reply.locator(".message-body")).to_contain_text(last_word)
    chat.ask("And now?")
    expect(chat.reply_text.last).to_have_text("Hello from the fake.")
