"""All of a user's data: imported, exported, forgotten."""

from __future__ import annotations

import json
from typing import Any

import httpx
from playwright.sync_api import FilePayload, Locator, Route, expect

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
                {"role": "system", "content": "Be kind."},
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


def node(parent: str | None, role: str, text: str) -> dict[str, Any]:
    return {
        "parent": parent,
        "message": {"author": {"role": role}, "content": {"parts": [text]}},
    }


TREE = {
    "title": "Trip",
    "current_node": "b",
    "mapping": {
        "a": node(None, "user", "Where to?"),
        "b": node("a", "assistant", "Lisbon."),
        "c": node("a", "assistant", "Oslo."),
    },
}
LIST = """Here is what I remember:
- User's name is Ada
- User lives in Bergen
- Nutzerin spielt Cello
- The wifi password is hunter2
"""


def test_what_another_assistant_remembers_and_files_are_imported_and_all_is_exported(
    open_page: OpenPage, memory_site: Site
) -> None:
    path = f"{memory_site.url}/api/v1/attachments?name=draft.txt"
    kind = {"Content-Type": "application/octet-stream"}
    httpx.post(path, content=b"Never sent.", headers=kind, timeout=30).raise_for_status()
    chat = open_page(memory_site.url)
    data = open_data(chat)
    data.get_by_role("button", name="Remove draft.txt").click()
    expect(data.get_by_role("heading", name="Files not sent yet")).to_be_hidden()
    assert memory_site.get("/api/v1/attachments")["attachments"] == []
    expect_a_list_kept_as_far_as_it_is_ticked(chat, data)

    open_data(chat)
    data.get_by_label("Also what that program no longer shows").check()
    data.get_by_label("File to import").set_input_files(file_of(json.dumps([TREE])))
    expect(data.locator("#import-report")).to_contain_text("1 conversation, 2 messages")
    data.get_by_role("button", name="Close").click()
    chat.page.get_by_role("link", name="Trip").click()
    expect(chat.replies).to_contain_text(["Lisbon."])
    expect(chat.page.get_by_text("2/2")).to_be_visible()

    open_data(chat)
    expect_an_import_that_memory_reads(chat, data)
    data.get_by_role("button", name="Close").click()
    chat.page.get_by_role("link", name="About music").click()
    expect(chat.questions).to_have_text("I live in Prague.")
    expect(chat.facts.filter(has_text="Prague")).to_be_visible()
    open_data(chat)
    expect(data.locator("#import-report")).to_contain_text("1 not readable")

    # A broken file is refused with a reason.
    other = json.dumps(PAST).replace("music", "films").replace("Prague", "Porto")
    data.get_by_label("File to import").set_input_files(file_of(other[:-20]))
    expect(data.get_by_role("alert")).to_contain_text("not valid JSON")
    expect(data.locator("#upload")).to_be_hidden()
    expect(data.locator("#import-report")).not_to_contain_text("not readable")
    expect(data.locator("#import-report")).to_contain_text("0 conversations, 0 messages")
    expect(data.get_by_text("not valid JSON")).to_have_count(1)
    chat.expect_problem("400")

    with chat.page.expect_download() as started:
        data.get_by_role("link", name="Download", exact=True).click()
    exported = json.loads(started.value.path().read_text("utf-8"))
    [music] = [talk for talk in exported["conversations"] if talk["title"] == "About music"]
    assert music["messages"][0]["content"] == "I live in Prague."
    assert started.value.suggested_filename.startswith("throughline-")


def expect_a_list_kept_as_far_as_it_is_ticked(chat: ChatPage, data: Locator) -> None:
    data.get_by_role("button", name="Copy the question").click()
    data.get_by_label("Its list").fill(LIST)
    data.get_by_role("button", name="Look at it").click()
    expect(data.locator("#memory-list-found").get_by_role("checkbox")).to_have_count(3)
    expect(data.get_by_text("2 lines not offered")).to_be_visible()
    data.get_by_label("You live in Bergen").uncheck()
    data.get_by_role("button", name="Keep what is ticked").click()
    expect(data.get_by_text("2 facts kept.")).to_be_visible()
    data.get_by_role("button", name="Close").click()
    expect(chat.facts).to_have_count(2)
    expect(chat.facts.filter(has_text="Your name is Ada")).to_be_visible()
    expect(chat.facts.filter(has_text="Nutzerin spielt Cello")).to_be_visible()


def expect_an_import_that_memory_reads(chat: ChatPage, data: Locator) -> None:
    data.get_by_label("File to import").set_input_files(file_of(json.dumps(PAST)))
    report = data.locator("#import-report")
    expect(report).to_contain_text("1 conversation, 2 messages, 1 not readable.")
    report.get_by_text("1 remark").click()
    expect(report).to_contain_text("Conversation 2: Not a known export.")
    report.get_by_text("What was left out").click()
    expect(report).to_contain_text("Instructions of the program: 1")
    with chat.page.expect_download() as download:
        report.get_by_role("link", name="Download the report").click()
    assert json.loads(download.value.path().read_text())["left_out"] == {"system": 1}
    facts = report.get_by_role("progressbar", name="Facts")
    expect(facts).to_have_js_property("position", 1, timeout=WORK_MS)
    for kind in ("Summaries", "Earlier talks"):  # of so few messages there are none
        bar = report.get_by_role("progressbar", name=kind)
        expect(bar).to_have_js_property("position", 1, timeout=WORK_MS)
    expect(report.locator(".tier").first).to_contain_text("done")


def test_everything_is_forgotten_in_all_tabs_once_the_word_is_typed(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    chat.ask("I live in Bern.")
    chat_id = chat.conversation_id
    tab = ChatPage(chat.page.context.new_page(), memory_site.url)
    tab.open(f"/c/{chat.conversation_id}")
    expect(tab.questions).to_have_text("I live in Bern.")
    elsewhere = open_page(memory_site.url, path=f"/c/{chat.conversation_id}")
    expect(elsewhere.questions).to_have_text("I live in Bern.")
    for page in (chat, tab):
        page.box.fill("half a thought")
    tab.page.evaluate("sessionStorage['throughline.note'] = 'half a thought'")
    elsewhere.permit_problem("404")  # it may ask for what is gone
    data = open_data(chat)
    forget = data.get_by_role("button", name="Forget everything")
    expect(forget).to_be_disabled()
    data.get_by_label("Type “local” to confirm").fill("loca")
    expect(forget).to_be_disabled()
    data.get_by_label("Type “local” to confirm").fill("local")
    forget.click()
    expect(chat.page.get_by_text("Your conversations will be kept here.")).to_be_visible()
    for page in (chat, tab, elsewhere):
        expect(page.page).to_have_url(f"{memory_site.url}/")
        expect(page.questions).to_have_count(0)
        expect(page.box).to_have_value("")
    for page in (chat, tab):
        storage = page.page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
        assert "half a thought" not in storage
        assert chat_id not in storage
    assert memory_site.get("/api/v1/conversations")["conversations"] == []
    expect_failed_work_that_is_run_again(chat)


def expect_failed_work_that_is_run_again(chat: ChatPage) -> None:
    failed = [{"conversation_id": "0" * 32, "kind": "summary"}]
    tiers = {
        "summary": {"covered": 4, "total": 8},
        "episode": {"covered": 0, "total": 8},
        "facts": {"covered": 8, "total": 8},
    }
    past_import = {
        "import_id": "1", "status": "done", "messages": 8, "errors": [], "error": None, "jobs": 0,
        "left_out": {},
        "conversations": {"imported": 1, "skipped": 0, "failed": 0}, "tiers": tiers,
        "created_at": "2026-01-01T00:00:00Z", "failed_jobs": failed,
    }  # fmt: skip
    methods: list[str] = []
    chat.route("**/api/v1/imports?*", lambda route: route.fulfill(json={"imports": [past_import]}))
    chat.route("**/api/v1/imports/1", lambda route: route.fulfill(json=past_import))

    def run(route: Route) -> None:
        methods.append(route.request.method)
        past_import["failed_jobs"] = []  # not before: the page asks by itself, too
        route.fulfill()

    chat.route("**/jobs/summary/run", run)
    data = open_data(chat)
    report = data.locator("#import-report")
    expect(report).to_contain_text("1 piece of work failed.")
    expect(report.get_by_role("progressbar", name="Summaries")).to_have_js_property("position", 0.5)
    expect(report.get_by_role("progressbar", name="Earlier talks")).to_have_js_property(
        "position", 1
    )
    report.get_by_role("button", name="Run again").click()
    expect(report.get_by_role("progressbar", name="Summaries")).to_have_js_property("position", 1)
    expect(report).not_to_contain_text("failed")
    assert methods == ["POST"]
