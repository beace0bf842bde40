"""What a model thinks before its reply, folded above it."""

from __future__ import annotations

import re
import threading

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import AXE, find_in_looks
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_modes import choose
from tests.fakes.openai_server import FakeOpenAI, Scripted

LONG = f"{'a' * 300} " + "and so on, as a model that thinks for long does, " * 20
THOUGHT = f"They greet me.\nSo I greet them, too.\n{LONG}"


def fold_of(chat: ChatPage) -> Locator:
    return chat.replies.last.locator("details.reasoning")


def test_it_is_shown_while_it_comes_and_again_after_a_reload_and_in_a_temporary_chat(
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
    if AXE.exists():
        findings = find_in_looks(chat)
        assert not any(findings.values()), findings

    chat.page.get_by_role("link", name="New chat").click()
    choose(chat, "Temporary")
    model_server.script(Scripted(text="Hello to you.", reasoning=THOUGHT))
    chat.ask("Hi there.")
    fold.locator("summary").click()
    expect(fold.locator(".reasoning-text")).to_have_text(THOUGHT)


def test_text_that_turns_out_to_be_thought_is_folded_and_the_answer_stands_alone(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    """As with models whose template opens the block, so that only its end comes."""
    answers = threading.Event()
    model_server.script(
        Scripted(text="my plan is this\n</think>\n\nIt is 4.", held_after=3, goes_on=answers)
    )
    chat.send("How much is it?")
    expect(chat.reply_text).to_contain_text("my plan")
    answers.set()
    chat.wait_for_end()
    expect(chat.reply_text).to_have_text("It is 4.")
    fold = fold_of(chat)
    for _ in range(2):
        fold.locator("summary").click()
        expect(fold.locator(".reasoning-text")).to_have_text("my plan is this\n")
        chat.page.reload()
        expect(chat.reply_text).to_have_text("It is 4.")
