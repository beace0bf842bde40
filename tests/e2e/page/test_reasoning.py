"""What a model thinks before its reply, folded above it."""

from __future__ import annotations

import re
import threading

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_in_looks, needs_axe
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_modes import choose
from tests.fakes.openai_server import FakeOpenAI, Scripted

THOUGHT = "They greet me.\nSo I greet them, too."
LONG = f"{'a' * 300} " + "and so on, as a model that thinks for long does, " * 20


def fold_of(chat: ChatPage) -> Locator:
    return chat.replies.last.locator("details.reasoning")


def test_it_is_shown_while_it_comes_and_again_after_a_reload(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    answers = threading.Event()
    model_server.script(
        Scripted(text="Hello to you.", reasoning=THOUGHT, held_after=0, goes_on=answers)
    )
    chat.send("Hi there.")
    fold = fold_of(chat)
    expect(fold.locator("summary")).to_have_text("Thinking …")
    expect(fold.get_by_text("They greet me.")).to_be_hidden()
    fold.locator("summary").press("Enter")
    expect(fold.locator(".reasoning-text")).to_have_text(THOUGHT)
    expect(chat.replies.last.locator(".note")).to_be_hidden()
    expect(chat.page.locator("#announcer")).not_to_contain_text("They greet me.")
    answers.set()
    chat.wait_for_end()
    expect(fold.locator("summary")).to_have_text(re.compile(r"Thought for (a moment|\d+ s)"))
    expect(fold.locator(".reasoning-text")).to_be_visible()
    expect(chat.reply_text).to_have_text("Hello to you.")

    chat.page.reload()
    expect(chat.reply_text).to_have_text("Hello to you.")
    expect(fold.locator(".reasoning-text")).to_be_hidden()
    fold.locator("summary").click()
    expect(fold.locator(".reasoning-text")).to_have_text(THOUGHT)

    chat.replies.last.get_by_role("button", name="Write this reply again").click()
    chat.wait_for_end()
    expect(fold).to_be_hidden()
    chat.replies.last.get_by_role("button", name="Earlier variant").click()
    fold.locator("summary").click()
    expect(fold.locator(".reasoning-text")).to_have_text(THOUGHT)


def test_a_temporary_chat_shows_it(chat: ChatPage, model_server: FakeOpenAI) -> None:
    choose(chat, "Temporary")
    model_server.script(Scripted(text="Hello to you.", reasoning=THOUGHT))
    chat.ask("Hi there.")
    fold_of(chat).locator("summary").click()
    expect(fold_of(chat).locator(".reasoning-text")).to_have_text(THOUGHT)


@needs_axe
def test_it_fits_and_axe_finds_nothing(chat: ChatPage, model_server: FakeOpenAI) -> None:
    model_server.script(Scripted(text="Hello to you.", reasoning=LONG))
    chat.ask("Hi there.")
    fold_of(chat).locator("summary").click()
    expect(fold_of(chat).locator(".reasoning-text")).to_be_visible()
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
