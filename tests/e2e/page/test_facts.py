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


def test_what_was_said_becomes_a_fact_that_leads_back_to_it_can_be_changed_back_and_deleted(
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
    learn(chat, "I moved to Lisbon.", "Lisbon")
    expect(chat.facts).to_have_count(1)
    expect(chat.facts).to_contain_text(
        re.compile(r"Before: “Berlin”, until \d\d:\d\d. From a chat, Today")
    )
    chat.button("Undo the change").click()
    expect(chat.facts.locator(".fact-value")).to_have_text("Berlin")
    expect(chat.button("Undo the change")).to_be_hidden()
    chat.facts.get_by_role("button", name="Delete").click()
    expect(chat.question).to_contain_text("will not be learned again from what was said before")
    chat.question.get_by_role("button", name="Cancel").click()
    expect(chat.facts).to_have_count(1)
    chat.facts.get_by_role("button", name="Delete").click()
    chat.question.get_by_role("button", name="Delete").click()
    expect(chat.facts).to_have_count(0)
    learn(chat, "My name is Ada.", "Ada")
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["Ada"]


def test_a_fact_is_corrected_in_its_place(open_page: OpenPage, memory_site: Site) -> None:
    state(memory_site, "tea", "green")
    chat = open_page(memory_site.url)
    chat.facts.locator("summary").click()
    expect(chat.facts).to_contain_text("You wrote this, Today.")
    expect(chat.facts).not_to_contain_text("%")
    chat.button("Change").click()
    field = chat.page.get_by_label("Change: tea: green")
    field.fill("x" * 5000)
    chat.button("Save").click()
    expect(chat.facts.get_by_role("alert")).to_have_text("Is longer than 500 characters.")
    expect(field).to_have_value("x" * 5000)
    chat.expect_problem("400")
    field.fill("half a word")
    memory_site.chat("My name is Ada.")
    state(memory_site, "bread", "rye")
    chat.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(chat.facts.filter(has_text="rye")).to_be_visible()
    expect(field).to_have_value("half a word")  # it stays while new facts come
    expect(field).to_be_focused()
    field.fill("Tea: black")
    chat.button("Save").click()
    tea = chat.facts.filter(has_text="Tea")
    expect(tea.locator(".fact-value")).to_have_text("black")
    expect(tea).to_contain_text("Before: “green”, until")
    facts = memory_site.get("/api/v1/facts")["facts"]
    assert [fact["value"] for fact in facts if fact["key"] == "tea"] == ["black"]


def test_a_fact_is_written_down_in_a_sentence_of_any_words_and_can_become_another(
    open_page: OpenPage, memory_site: Site
) -> None:
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
    chat.page.keyboard.press("Enter")
    field.fill("Ich wohne am Fjord")
    field.press("Enter")
    sentence = chat.facts.filter(has_text="Ich wohne am Fjord")  # in words that nothing reads
    sentence.locator("summary").click()
    sentence.get_by_role("button", name="Change").click()
    chat.page.get_by_label("Change: Ich wohne am Fjord").fill("I live in Bergen")
    chat.button("Save").click()
    expect(chat.facts.filter(has_text="Bergen").locator("summary")).to_have_text(
        "You live in Bergen"
    )
    facts = memory_site.get("/api/v1/facts")["facts"]
    assert sorted((fact["key"], fact["value"]) for fact in facts if fact["value"] != "peanuts") == [
        ("home_city", "Bergen")
    ]


def test_each_sentence_of_the_short_form_leads_to_its_fact_and_arabic_reads_from_right_to_left(
    open_page: OpenPage, memory_site: Site
) -> None:
    state(memory_site, "drink", "أحب القهوة كثيرا")
    state(memory_site, "dish", "Grünkohl")
    chat = open_page(memory_site.url)
    values = chat.panel.locator(".fact-value")
    expect(values.filter(has_text="القهوة")).to_have_css("direction", "rtl")
    expect(values.filter(has_text="Grünkohl")).to_have_css("direction", "ltr")
    chat.panel.get_by_text("In short").click()
    sentences = chat.panel.locator("#profile a")
    expect(sentences).to_have_count(2)
    sentences.filter(has_text="Grünkohl").click()
    row = chat.facts.filter(has_text="Grünkohl")
    expect(row.locator("summary")).to_be_focused()
    expect(row.locator("details")).to_have_attribute("open", "")
