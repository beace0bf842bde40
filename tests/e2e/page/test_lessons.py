"""The marks under a message: what was learned from it, and what it may mean."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.axe import find_in_looks
from tests.e2e.page.chat_page import NOTHING, WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_suggestions import bring_in
from tests.e2e.site import Site
from tests.waiting import wait_for


def mark(chat: ChatPage, sequence: int, text: str) -> Locator:
    return chat.page.locator(f'[data-sequence="{sequence}"] .lesson').filter(has_text=text)


def announced(chat: ChatPage, text: str) -> Locator:
    return chat.page.locator("#announcer").get_by_text(text, exact=True)


def follow(open_page: OpenPage, site: Site) -> ChatPage:
    """A page that hears of events."""
    chat = open_page(site.url, path=NOTHING)
    chat.follow()
    return chat


def import_maybes(site: Site, *texts: str) -> str:
    """A conversation from a file whose messages are not taken at their word. Its id."""
    bring_in(site, *texts)

    def read_all() -> list[dict[str, Any]]:
        suggestions: list[dict[str, Any]] = site.get("/api/v1/facts/suggestions")["suggestions"]
        return suggestions if len(suggestions) == len(texts) else []

    return str(wait_for(read_all, WORK_MS / 1000)[0]["source"]["conversation_id"])


def test_what_a_message_taught_is_marked_under_it_and_can_be_taken_back(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = follow(open_page, memory_site)
    chat.ask("I live in Berlin.")
    learned = mark(chat, 0, "Learned: you live in Berlin")
    expect(learned).to_be_visible(timeout=WORK_MS)
    expect(announced(chat, "Learned: you live in Berlin")).to_have_count(1)
    chat.page.reload()
    expect(learned).to_be_visible()
    expect(announced(chat, "Learned: you live in Berlin")).to_have_count(0)
    learned.get_by_role("button", name="Undo. Learned: you live in Berlin").click()
    taken_back = mark(chat, 0, "Taken back: you live in Berlin")
    expect(taken_back).to_be_focused()
    expect(chat.facts).to_have_count(0)
    assert memory_site.get("/api/v1/facts")["facts"] == []
    with chat.page.expect_response("**/api/v1/events"):
        chat.page.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.page.locator(".lesson")).to_have_count(0)

    chat.ask("I think I live in Rome.")  # while the chat is open
    question = "Is it right that you live in Rome?"
    expect(mark(chat, 2, question)).to_be_visible(timeout=WORK_MS)
    expect(announced(chat, question)).to_have_count(1)


def test_what_is_not_to_be_remembered_or_forgotten_is_said_with_a_way_back(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = follow(open_page, memory_site)
    chat.ask("Don't remember this, but I live in Berlin.")
    expect(mark(chat, 0, "Not learned")).to_be_visible()
    chat.ask("My cat is called Gigi.")
    expect(mark(chat, 2, "Gigi")).to_be_visible(timeout=WORK_MS)
    chat.ask("Please forget that my cat is called Gigi.")
    forgotten = mark(chat, 4, "Forgotten: your cat is called Gigi")
    expect(forgotten).to_be_visible(timeout=WORK_MS)
    expect(mark(chat, 2, "Gigi")).to_have_count(0)
    assert "Gigi" not in memory_site.chat("What is my cat called?")["reply"]
    chat.ask("Thanks.")  # the marks are read again
    forgotten.get_by_role("button", name="Undo").click()
    expect(mark(chat, 4, "It is learned again.")).to_be_focused()
    expect(mark(chat, 2, "Gigi")).to_be_visible()
    expect(mark(chat, 4, "It is learned again.")).to_be_visible()
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["Gigi"]


def test_an_edited_message_loses_its_mark_and_undo_of_a_correction_brings_the_one_before_back(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = follow(open_page, memory_site)
    chat.ask("I live in Oslo.")
    expect(mark(chat, 0, "you live in Oslo")).to_be_visible(timeout=WORK_MS)
    chat.box.press("ArrowUp")
    chat.page.get_by_label("Your message, in other words").fill("I live in Porto.")
    chat.button("Send again").click()
    chat.wait_for_end()
    expect(mark(chat, 0, "Learned: you live in Porto")).to_be_visible(timeout=WORK_MS)
    expect(mark(chat, 0, "Oslo")).to_have_count(0)

    chat.ask("I moved to Bergen.")
    changed = mark(chat, 2, "Learned: you live in Bergen, before: Porto")
    expect(changed).to_be_visible(timeout=WORK_MS)
    expect(mark(chat, 0, "Porto")).to_have_count(0)
    changed.get_by_role("button", name="Undo").focus()
    chat.page.keyboard.press("Enter")
    expect(mark(chat, 0, "Learned: you live in Porto")).to_be_visible()
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["Porto"]


def test_what_is_not_certain_is_asked_under_its_message(
    open_page: OpenPage, memory_site: Site
) -> None:
    """The marks fit and are accessible."""
    messages = ("I'm allergic to peanuts and I live in Rome.", "I'm allergic to shellfish.")
    conversation_id = import_maybes(memory_site, *messages)
    chat = open_page(memory_site.url, path=f"/c/{conversation_id}")
    expect(chat.page.locator(".lesson")).to_have_count(3)
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
    for sequence, allergen, answer, notice in (
        (0, "peanuts", "Yes", "Learned: you are allergic to peanuts"),
        (2, "shellfish", "No", "Not learned"),
    ):
        question = mark(chat, sequence, f"Is it right that you are allergic to {allergen}?")
        question.get_by_role("button", name=answer).click()
        expect(mark(chat, sequence, notice)).to_be_visible()
        expect(question).to_have_count(0)
    values = {fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]}
    assert values == {"peanuts", "Rome"}


def test_a_mark_above_does_not_move_what_is_being_read(
    open_page: OpenPage, memory_site: Site
) -> None:
    conversation_id = memory_site.chat("I live in Berlin.")["conversation_id"]
    for number in range(6):
        memory_site.chat(f"Line {number}.\n" * 12, conversation_id)
    wait_for(lambda: memory_site.get("/api/v1/facts")["facts"], WORK_MS / 1000)
    chat = open_page(memory_site.url)
    routes, release = hold_lessons(chat)
    chat.open(f"/c/{conversation_id}")
    chat.await_held(routes)
    chat.page.evaluate("document.fonts.ready.then(() => true)")
    expect(chat.replies.last).to_be_in_viewport()  # the end was shown first
    read = chat.page.locator('[data-sequence="6"]')
    read.evaluate("(element) => element.scrollIntoView({ block: 'start' })")
    expect(chat.button("Go to the newest message")).to_be_visible()
    top = read.evaluate("(element) => element.getBoundingClientRect().top")
    release()
    expect(mark(chat, 0, "Berlin")).to_have_count(1)
    assert abs(read.evaluate("(element) => element.getBoundingClientRect().top") - top) < 1


def hold_lessons(chat: ChatPage) -> tuple[list[Route], Callable[[], None]]:
    """Hold the requests for the marks back, in the list, until the function is called."""
    routes: list[Route] = []
    is_over = threading.Event()

    def hold(route: Route) -> None:
        if is_over.is_set():
            route.continue_()
        else:
            routes.append(route)

    def release() -> None:
        is_over.set()
        for route in routes:
            route.continue_()

    chat.route("**/lessons", hold)
    return routes, release
