"""Import over HTTP of the archives that ChatGPT and Claude hand out."""

from __future__ import annotations

import io
import json
import zipfile

from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import (
    CHATGPT,
    JSON,
    conversations_of,
    dialogue,
    send,
)
from tests.refusals import message_of


def packed(**files: object) -> bytes:
    """An archive. `__` in a name stands for its dot."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), json.dumps(content))
    return file.getvalue()


def test_an_archive_of_chatgpt_is_read_as_its_file_would_be(browser: Browser) -> None:
    report = send(browser, packed(user__json={"id": "u"}, conversations__json=[CHATGPT]))
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 0}
    [listed] = conversations_of(browser)
    messages = browser.messages(listed["conversation_id"])
    assert [m["content"] for m in messages] == ["Where to?", "Lisbon."]
    assert send(browser, [CHATGPT])["conversations"]["skipped"] == 1


def test_an_archive_of_claude_is_read_without_its_projects(browser: Browser) -> None:
    messages = [
        {"uuid": "1", "sender": "human", "text": "Where to?", "created_at": "2025-06-01T08:00:00Z"},
        {"uuid": "2", "sender": "assistant", "text": "", "content": [
            {"type": "text", "text": "Porto."}], "created_at": "2025-06-01T08:01:00Z"},
    ]  # fmt: skip
    chat = {"uuid": "c", "name": "A trip", "account": {"uuid": "a"}, "chat_messages": messages}
    empty = {"uuid": "d", "name": "", "chat_messages": []}
    report = send(
        browser, packed(projects__json=[{"uuid": "p"}], conversations__json=[chat, empty])
    )
    assert report["conversations"] == {"imported": 1, "skipped": 1, "failed": 0}
    [listed] = conversations_of(browser)
    assert listed["title"] == "A trip"
    imported_messages = browser.messages(listed["conversation_id"])
    assert [(m["role"], m["content"]) for m in imported_messages] == [
        ("user", "Where to?"), ("assistant", "Porto."),
    ]  # fmt: skip


def test_an_archive_without_conversations_is_refused_with_the_reason(browser: Browser) -> None:
    for content in (packed(users__json=[], projects__json=[]), b"PK\x03\x04" + b"x" * 400):
        answer = browser.client.post("/api/v1/imports", data=content, headers=JSON)
        assert answer.status_code == 400
        assert "archive" in message_of(answer)
    for record in browser.get("/api/v1/imports")["imports"]:
        assert (record["status"], record["conversations"]["imported"]) == ("failed", 0)


def test_of_an_archive_whose_file_breaks_off_nothing_is_imported(browser: Browser) -> None:
    text = json.dumps([dialogue(id=f"d-{n}") for n in range(3)])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("conversations.json", text[:-100])
    answer = browser.client.post("/api/v1/imports", data=file.getvalue(), headers=JSON)
    assert answer.status_code == 400
    assert answer.get_json()["import"]["conversations"]["imported"] == 0


def test_of_google_s_takeout_gemini_alone_is_read(browser: Browser) -> None:
    entry = {
        "header": "Gemini Apps", "title": "Prompted Where to?", "products": ["Gemini Apps"],
        "time": "2025-05-01T10:00:00.000Z", "safeHtmlItem": [{"html": "<p>Porto.</p>"}],
    }  # fmt: skip
    gemini = {"Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten__json": [entry]}
    other = {"Takeout/Meine Aktivitäten/YouTube/MeineAktivitäten__json": [{"header": "YouTube"}]}
    report = send(browser, packed(**gemini, **other))
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 0}
    [listed] = conversations_of(browser)
    assert [m["content"] for m in browser.messages(listed["conversation_id"])] == [
        "Where to?", "Porto.",
    ]  # fmt: skip
