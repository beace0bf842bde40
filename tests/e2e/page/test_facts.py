"""The panel's facts: learned while one looks on, and the user's to change."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site


def learn(chat: ChatPage, message: str, value: str) -> None:
    """Say something, and wait until it shows as a fact."""
    chat.ask(message)
    expect(chat.facts.filter(has_text=value)).to_be_visible(timeout=WORK_MS)


def state(site: Site, key: str, value: str) -> None:
    site.post("/api/v1/facts", {"category": "preference", "key": key, "value": value})


def test_what_was_said_becomes_a_fact_that_leads_back_to_it(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    expect(chat.panel).to_contain_text("Nothing is known of you yet.")
    learn(chat, "I live in Berlin.", "Berlin")
    path = f"/c/{chat.conversation_id}"
    chat.page.get_by_role("link", name="New chat").click()
    chat.facts.locator("summary").click()
    chat.panel.get_by_role("link", name=re.compile("From a chat, Today")).click()
    expect(chat.page).to_have_url(f"{memory_site.url}{path}#0")
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()


def test_a_fact_that_changed_shows_what_it_was_and_can_be_changed_back(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    learn(chat, "I live in Berlin.", "Berlin")
    learn(chat, "I moved to Lisbon.", "Lisbon")
    expect(chat.facts).to_have_count(1)
    chat.facts.locator("summary").click()
    expect(chat.facts).to_contain_text(
        re.compile(r"Before: “Berlin”, until \d\d:\d\d. From a chat, Today")
    )
    chat.button("Undo the change").click()
    expect(chat.facts.locator(".fact-value")).to_have_text("Berlin")
    expect(chat.button("Undo the change")).to_be_hidden()


def test_a_fact_is_corrected_in_its_place(open_page: OpenPage, memory_site: Site) -> None:
    state(memory_site, "tea", "green")
    chat = open_page(memory_site.url)
    chat.facts.locator("summary").click()
    expect(chat.facts).to_contain_text("You wrote this, Today.")
    expect(chat.facts).not_to_contain_text("%")
    chat.button("Change").click()
    chat.page.get_by_label("Change: tea: green").fill("Tea: black")
    chat.button("Save").click()
    expect(chat.facts.locator(".fact-value")).to_have_text("black")
    expect(chat.facts).to_contain_text("Before: “green”, until")
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["black"]


def test_what_is_being_typed_stays_while_new_facts_come(
    open_page: OpenPage, memory_site: Site
) -> None:
    state(memory_site, "tea", "green")
    chat = open_page(memory_site.url)
    chat.facts.locator("summary").click()
    chat.button("Change").click()
    field = chat.page.get_by_label("Change: tea: green")
    field.fill("half a word")
    memory_site.chat("My name is Ada.")
    state(memory_site, "bread", "rye")
    chat.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(chat.facts.filter(has_text="rye")).to_be_visible()
    expect(field).to_have_value("half a word")
    expect(field).to_be_focused()


def test_a_value_that_cannot_be_kept_is_refused_beside_it(
    open_page: OpenPage, memory_site: Site
) -> None:
    state(memory_site, "tea", "green")
    chat = open_page(memory_site.url)
    chat.facts.locator("summary").click()
    chat.button("Change").click()
    chat.page.get_by_label("Change: tea: green").fill("x" * 5000)
    chat.button("Save").click()
    expect(chat.facts.get_by_role("alert")).to_have_text("Is longer than 500 characters.")
    expect(chat.page.get_by_label("Change: tea: green")).to_have_value("x" * 5000)
    chat.expect_problem("400")


def test_a_fact_is_written_down_in_a_sentence(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    chat.button("Add a fact").click()
    field = chat.page.get_by_label("In a sentence")
    expect(field).to_be_focused()
    field.fill("I am allergic to peanuts.")
    field.press("Enter")
    expect(chat.facts).to_contain_text("You are allergic to peanuts")
    expect(chat.panel.get_by_role("heading", name="What to mind")).to_be_visible()
    expect(chat.button("Add a fact")).to_be_focused()
    [fact] = memory_site.get("/api/v1/facts")["facts"]
    assert (fact["category"], fact["value"]) == ("constraint", "peanuts")


def test_a_sentence_in_any_words_stays_as_it_is_and_can_become_another(
    open_page: OpenPage, memory_site: Site
) -> None:
    memory_site.post("/api/v1/facts/sentences", {"text": "Ich wohne am Fjord"})
    chat = open_page(memory_site.url)
    expect(chat.facts).to_contain_text("Ich wohne am Fjord")
    chat.facts.locator("summary").click()
    chat.button("Change").click()
    chat.page.get_by_label("Change: Ich wohne am Fjord").fill("I live in Bergen")
    chat.button("Save").click()
    expect(chat.facts.locator("summary")).to_have_text("You live in Bergen")
    [fact] = memory_site.get("/api/v1/facts")["facts"]
    assert (fact["key"], fact["value"]) == ("home_city", "Bergen")


def test_a_deleted_fact_stays_deleted(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    learn(chat, "I live in Berlin.", "Berlin")
    chat.facts.locator("summary").click()
    chat.facts.get_by_role("button", name="Delete").click()
    expect(chat.question).to_contain_text("will not be learned again from what was said before")
    chat.question.get_by_role("button", name="Cancel").click()
    expect(chat.facts).to_have_count(1)
    chat.facts.get_by_role("button", name="Delete").click()
    chat.question.get_by_role("button", name="Delete").click()
    expect(chat.facts).to_have_count(0)
    learn(chat, "My name is Ada.", "Ada")
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["Ada"]


def test_a_fact_in_arabic_reads_from_right_to_left(open_page: OpenPage, memory_site: Site) -> None:
    state(memory_site, "drink", "أحب القهوة كثيرا")
    state(memory_site, "dish", "Grünkohl")
    values = open_page(memory_site.url).panel.locator(".fact-value")
    expect(values.filter(has_text="القهوة")).to_have_css("direction", "rtl")
    expect(values.filter(has_text="Grünkohl")).to_have_css("direction", "ltr")


def test_each_sentence_of_the_short_form_leads_to_its_fact(
    open_page: OpenPage, memory_site: Site
) -> None:
    state(memory_site, "tea", "green")
    state(memory_site, "music", "jazz")
    chat = open_page(memory_site.url)
    chat.panel.get_by_text("In short").click()
    sentences = chat.panel.locator("#profile a")
    expect(sentences).to_have_count(2)
    sentences.filter(has_text="jazz").click()
    expect(chat.facts.filter(has_text="jazz").locator("summary")).to_be_focused()
    expect(chat.facts.filter(has_text="jazz").locator("details")).to_have_attribute("open", "")
