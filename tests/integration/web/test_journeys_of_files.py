"""Files of messages on their way from one site to another."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable

from PIL import Image

from shared.db import fetch_rows
from tests.fakes.files import make_image, make_pdf, make_pixel_bomb
from tests.integration.web.attachments import NOTES, add
from tests.integration.web.attachments import send as say_with
from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import (
    conversations_of,
    export,
    forget_everything,
    read_file,
    send,
)
from tests.services import as_owner


def test_files_come_back_to_their_messages(browser: Browser) -> None:
    pdf, picture = make_pdf("Page one."), make_image(size=(300, 200))
    long = "Row of the ledger.\n" * 100_000  # in several pieces
    uploads = [
        add(browser, long, "l.csv"),
        add(browser, pdf, "r.pdf"),
        add(browser, picture, "p.png"),
    ]
    conversation_id = say_with(browser, "Read.", *uploads)["conversation_id"]
    say_with(browser, "And this.", add(browser), conversation_id=conversation_id)
    document = export(browser)
    forget_everything(browser)
    report = send(browser, document)
    assert (report["status"], report["errors"], report["left_out"]) == ("done", [], {"trace": 2})
    [chat] = conversations_of(browser)
    messages = browser.messages(chat["conversation_id"])
    files = messages[0]["attachments"]
    assert [file["name"] for file in files] == ["l.csv", "r.pdf", "p.png"]
    assert [file["kind"] for file in files] == ["text", "pdf", "image"]
    assert read_file(browser, files[0]).decode() == long
    assert read_file(browser, files[1]) == pdf
    assert Image.open(io.BytesIO(read_file(browser, files[2]))).size == (300, 200)
    assert read_file(browser, messages[2]["attachments"][0]).decode() == NOTES
    assert send(browser, document)["errors"] == []
    files = browser.messages(chat["conversation_id"])[0]["attachments"]
    assert [file["name"] for file in files] == ["l.csv", "r.pdf", "p.png"]
    assert rows(browser) == 4


def rows(browser: Browser) -> int:
    with as_owner(browser.context.services) as connection:
        [row] = fetch_rows(connection, "SELECT count(*) AS count FROM attachments")
    return int(row["count"])


def encoded(content: bytes) -> list[str]:
    return [base64.b64encode(content).decode()]


def test_files_that_cannot_be_taken_are_named_and_all_else_comes(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser(attachment_max_bytes=20_000)
    names = ["a.txt", "large.txt", "bomb.png", "run.exe", "odd.txt", "gone.txt", "page.png"]
    result = say_with(browser, "Read.", *(add(browser, name=name) for name in names))
    document = export(browser)
    files = {file["name"]: file for file in document["attachments"]}
    files["large.txt"]["content"] = encoded(b"x" * 20_001)
    files["bomb.png"]["content"] = encoded(make_pixel_bomb())
    files["run.exe"]["content"] = encoded(b"MZ\x90\x00\x03")
    files["odd.txt"]["content"] = ["no Base64!"]
    files["page.png"]["content"] = encoded(b"<svg><script>1</script></svg>")
    document["attachments"].remove(files["gone.txt"])
    document["attachments"] += [7, {"attachment_id": "of nobody", "content": 1}]
    forget_everything(browser)
    report = send(browser, document)
    notes = {note["message"].split("”")[0].split("“")[1]: note for note in report["errors"]}
    assert sorted(notes) == sorted(["large.txt", "bomb.png", "run.exe", "odd.txt", "gone.txt"])
    assert {(note["index"], note["code"]) for note in notes.values()} == {(0, "file")}
    assert "too large" in notes["large.txt"]["message"]
    assert "too many pixels" in notes["bomb.png"]["message"]
    assert "not in the export" in notes["gone.txt"]["message"]
    assert report["left_out"]["attachment"] == 5
    [chat] = conversations_of(browser)
    assert chat["conversation_id"] != result["conversation_id"]
    [first, page] = browser.messages(chat["conversation_id"])[0]["attachments"]
    assert (first["name"], page["name"], page["kind"]) == ("a.txt", "page.png", "text")
    served = browser.client.get(f"/api/v1/attachments/{page['attachment_id']}")
    assert served.content_type == "text/plain; charset=utf-8"


def test_a_file_far_beyond_the_limit_is_never_held(make_browser: Callable[..., Browser]) -> None:
    browser = make_browser(attachment_max_bytes=1000)
    say_with(browser, "Read.", add(browser))
    document = export(browser)
    document["attachments"][0]["content"] = ["A" * 1_000_000] * 4
    forget_everything(browser)
    [note] = send(browser, document)["errors"]
    assert "too large" in note["message"]


def test_an_import_that_lacked_a_file_is_made_whole_by_the_next(browser: Browser) -> None:
    say_with(browser, "Read.", add(browser), add(browser, "More.", "more.txt"))
    document = export(browser)
    text = json.dumps(document)
    forget_everything(browser)
    send(browser, document | {"attachments": document["attachments"][:1]})
    assert rows(browser) == 1
    assert send(browser, text)["conversations"]["skipped"] == 1
    [chat] = conversations_of(browser)
    path = f"/api/v1/conversations/{chat['conversation_id']}/messages/0"
    assert len(browser.messages(chat["conversation_id"])[0]["attachments"]) == 2
    browser.client.delete(path)  # what the user has deleted stays deleted
    send(browser, text)
    assert rows(browser) == 0


def test_what_is_deleted_here_is_not_brought_back_by_an_export_of_this_site(
    browser: Browser,
) -> None:
    conversation_id = say_with(browser, "Read.", add(browser))["conversation_id"]
    browser.chat("Thanks.", conversation_id=conversation_id)
    document = export(browser)
    browser.client.delete(f"/api/v1/conversations/{conversation_id}/messages/0")
    send(browser, document)
    assert rows(browser) == 0


def test_the_text_of_claudes_attachments_comes_and_other_files_are_named(browser: Browser) -> None:
    message = {
        "uuid": "1", "sender": "human", "text": "See these.", "created_at": "2025-06-01T08:00:00Z",
        "attachments": [{"file_name": "notes.txt", "extracted_content": NOTES}],
        "files": [{"file_name": "photo.png"}],
    }  # fmt: skip
    send(browser, [{"uuid": "c", "name": "A trip", "chat_messages": [message]}])
    [chat] = conversations_of(browser)
    imported_message = browser.messages(chat["conversation_id"])[0]
    assert imported_message["content"] == "See these.\n\n[File: photo.png]"
    [file] = imported_message["attachments"]
    assert (file["name"], read_file(browser, file).decode()) == ("notes.txt", NOTES)
