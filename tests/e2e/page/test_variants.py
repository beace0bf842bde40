"""Variants of a reply to page through, its rating, and what it took."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_in_looks
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted


def write_variants(chat: ChatPage, server: FakeOpenAI, *texts: str) -> None:
    server.script(Scripted(text=texts[0]))
    chat.ask("Which fruit?")
    for text in texts[1:]:
        write_another(chat, server, text)


def write_another(chat: ChatPage, server: FakeOpenAI, text: str) -> None:
    server.script(Scripted(text=text))
    chat.replies.last.hover()
    chat.button("Write this reply again").click()
    expect(chat.reply_text).to_have_text(text)
    chat.wait_for_end()


def count_of(chat: ChatPage) -> Locator:
    return chat.replies.last.locator(".variant-count")


def test_a_reply_has_variants_to_page_through(chat: ChatPage, model_server: FakeOpenAI) -> None:
    write_variants(chat, model_server, "Apples.", "Pears.", "Plums.")
    expect(count_of(chat)).to_have_text("3/3")
    chat.button("Earlier variant").click()
    expect(chat.reply_text).to_have_text("Pears.")
    chat.button("Earlier variant").press("Enter")
    expect(chat.reply_text).to_have_text("Apples.")
    expect(count_of(chat)).to_have_text("1/3")
    expect(chat.button("Earlier variant")).to_be_focused()
    expect(chat.button("Earlier variant")).to_be_disabled()
    chat.page.reload()
    expect(chat.reply_text).to_have_text("Apples.")
    expect(count_of(chat)).to_have_text("1/3")
    look_at_the_foot(chat)
    chat.ask("Why?")
    texts = [m["content"] for m in model_server.requests[-1].body["messages"]]
    assert "Apples." in texts
    assert "Plums." not in texts
    look_at_an_older_reply(chat)


def look_at_the_foot(chat: ChatPage) -> None:
    """Its details tell the model, tokens and times, and it fits and is accessible."""
    chat.replies.last.locator(".provenance > summary").click()
    cost = chat.replies.last.locator(".cost")
    expect(cost).to_have_text(
        re.compile(r"Model\s*fake-model\s*Tokens\s*\d+ in, \d+ out\s*First word.*Whole reply")
    )
    chat.replies.last.get_by_text("Numbers").click()
    expect(cost).to_be_visible()
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings


def look_at_an_older_reply(chat: ChatPage) -> None:
    """Its variants are for reading."""
    older = chat.replies.first
    older.get_by_role("button", name="Later variant").click()
    expect(older.locator(".message-body")).to_have_text("Pears.")
    expect(older).to_contain_text("The conversation went on from variant 1.")
    older.get_by_role("button", name="Earlier variant").click()
    expect(older.locator(".message-body")).to_have_text("Apples.")
    expect(older).not_to_contain_text("went on from")


def test_a_variant_that_failed_leaves_the_others_and_another_window_sees_which_is_chosen_and_rated(
    chat: ChatPage, open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    write_variants(chat, model_server, "Apples.")
    fail_to_write_another(chat, model_server)
    write_another(chat, model_server, "Pears.")
    other = open_page(scripted_site.url, path=NOTHING)
    other.follow(f"/c/{chat.conversation_id}")
    expect(other.reply_text).to_have_text("Pears.")
    chat.button("Earlier variant").click()
    expect(other.reply_text).to_have_text("Apples.")
    chat.replies.last.hover()
    chat.button("Good reply").click()
    expect(chat.button("Good reply")).to_have_attribute("aria-pressed", "true")
    expect(other.button("Good reply")).to_have_attribute("aria-pressed", "true")
    chat.button("Bad reply").click()
    expect(chat.button("Bad reply")).to_have_attribute("aria-pressed", "true")
    chat.page.reload()
    expect(chat.button("Bad reply")).to_have_attribute("aria-pressed", "true")
    chat.button("Bad reply").click()
    expect(chat.button("Bad reply")).to_have_attribute("aria-pressed", "false")


def fail_to_write_another(chat: ChatPage, server: FakeOpenAI) -> None:
    server.script(Scripted(status=401))
    chat.replies.last.hover()
    chat.button("Write this reply again").click()
    expect(chat.replies.last).to_contain_text("This reply failed.")
    expect(count_of(chat)).to_have_text("2/2")
    chat.button("Earlier variant").click()
    expect(chat.reply_text).to_have_text("Apples.")
    expect(count_of(chat)).to_be_hidden()
