"""All of a user's data: imported, exported, forgotten."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, expect

from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

PAST = {
    "conversations": [
        {
            "title": "About music",
            "messages": [
                {"role": "user", "content": "I live in Prague."},
                {"role": "assistant", "content": "So you do."},
            ],
        },
        {"title": "Nothing in it"},
    ]
}


def open_data(chat: ChatPage) -> Locator:
    chat.button("Your data").click()
    return chat.page.get_by_role("dialog", name="Your data")


def file_of(content: str) -> FilePayload:
    return {"name": "past.json", "mimeType": "application/json", "buffer": content.encode()}


def test_a_file_is_imported_and_memory_reads_it(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    data = open_data(chat)
    data.get_by_label("File to import").set_input_files(file_of(json.dumps(PAST)))
    report = data.locator("#import-report")
    expect(report).to_contain_text("1 conversation, 2 messages, 1 not readable.")
    report.get_by_text("1 remark").click()
    expect(report).to_contain_text("Conversation 2: It has neither")
    facts = report.get_by_role("progressbar", name="Facts")
    expect(facts).to_have_js_property("position", 1, timeout=WORK_MS)
    data.get_by_role("button", name="Close").click()
    chat.page.get_by_role("link", name="About music").click()
    expect(chat.questions).to_have_text("I live in Prague.")
    expect(chat.facts).to_contain_text("Prague")
    open_data(chat)
    expect(report).to_contain_text("1 conversation, 2 messages")


def test_a_broken_file_is_refused_with_a_reason(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    data = open_data(chat)
    data.get_by_label("File to import").set_input_files(file_of(json.dumps(PAST)[:-20]))
    expect(data.get_by_role("alert")).to_contain_text("not valid JSON")
    expect(data.locator("#upload")).to_be_hidden()
    expect(data.locator("#import-report")).to_contain_text("1 conversation, 2 messages")
    chat.expect_problem("400")


def test_everything_is_exported_as_a_file(
    open_page: OpenPage, memory_site: Site, tmp_path: Path
) -> None:
    memory_site.chat("My name is Ada.")
    chat = open_page(memory_site.url)
    data = open_data(chat)
    with chat.page.expect_download() as started:
        data.get_by_role("link", name="Download").click()
    started.value.save_as(tmp_path / "export.json")
    exported = json.loads((tmp_path / "export.json").read_text("utf-8"))
    said = exported["conversations"][0]["messages"][0]["content"]
    assert said == "My name is Ada."
    assert started.value.suggested_filename.startswith("throughline-")


def test_everything_is_forgotten_once_the_word_is_typed(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    chat.ask("I live in Berlin.")
    chat.box.fill("half a thought")
    data = open_data(chat)
    forget = data.get_by_role("button", name="Forget everything")
    expect(forget).to_be_disabled()
    data.get_by_label("Type “local” to confirm").fill("loca")
    expect(forget).to_be_disabled()
    data.get_by_label("Type “local” to confirm").fill("local")
    forget.click()
    expect(chat.page.get_by_text("Your conversations will be kept here.")).to_be_visible()
    expect(chat.page).to_have_url(f"{memory_site.url}/")
    expect(chat.box).to_have_value("")
    assert memory_site.get("/api/conversations")["conversations"] == []
