"""Files that are not taken, and what is served of those that are."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tests.fakes.files import make_image, make_pdf, make_pixel_bomb
from tests.integration.web.attachments import add, rows, send, stored_bytes, upload
from tests.integration.web.conftest import Browser
from tests.refusals import code_of
from web.requests.forms import ATTACHMENTS_PER_MESSAGE


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"MZ\x90\x00\x03", "notes.txt", 415, "file_type"),
        (b"PK\x03\x04rest", "a.docx", 415, "file_type"),
        (b"abc\x00def", "a.txt", 415, "file_type"),
        (b"", "a.txt", 422, "unreadable_file"),
        (b" \n ", "a.txt", 422, "unreadable_file"),
        (b"%PDF-1.7 and no more", "a.pdf", 422, "unreadable_file"),
        (b"\x89PNG\r\n\x1a\n and no more", "a.png", 422, "unreadable_file"),
        (make_pixel_bomb(), "bomb.png", 422, "unreadable_file"),
        (make_pdf(""), "scan.pdf", 422, "unreadable_file"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(
    browser: Browser, content: bytes, name: str, status: int, code: str
) -> None:
    answer = upload(browser, content, name)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)
    assert rows(browser) == 0


def test_a_file_that_is_too_large_is_refused(make_browser: Callable[..., Browser]) -> None:
    small = make_browser(attachment_max_bytes=100)
    answer = upload(small, b"x" * 101)
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert upload(small, b"x" * 100).status_code == 201


def test_files_count_towards_the_quota_of_storage(make_browser: Callable[..., Browser]) -> None:
    poor = make_browser(quota_storage_bytes=300)
    assert add(poor, "x" * 100)["bytes"] == 100
    answer = upload(poor, b"y" * 100)
    assert (answer.status_code, answer.get_json()["code"]) == (429, "quota_used_up")
    assert stored_bytes(poor) == 200, "the file, and the text that was read from it"
    assert rows(poor) == 2


def test_the_text_of_a_branchs_files_counts_too(browser: Browser) -> None:
    conversation_id = send(browser, "Read.", add(browser, "x" * 10_000))["conversation_id"]
    browser.chat("Thanks.", conversation_id=conversation_id)
    assert 20_000 < stored_bytes(browser) < 22_000
    assert (
        browser.client.post(
            f"/chat/{conversation_id}/2/branch", json={"message": "So?"}
        ).status_code
        == 200
    )
    assert 40_000 < stored_bytes(browser) < 44_000


@pytest.mark.shares_sites
def test_a_body_of_another_type_is_refused(browser: Browser) -> None:
    for kind in ("text/plain", "multipart/form-data", "application/json"):
        answer = browser.client.post(
            "/api/v1/attachments?name=a", data=b"x", headers={"Content-Type": kind}
        )
        assert answer.status_code == 415


@pytest.mark.parametrize("name", ["page.html", "picture.svg", "run.sh"])
def test_nothing_is_served_that_a_browser_would_run(browser: Browser, name: str) -> None:
    file = add(browser, "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", name)
    served = browser.client.get(f"/api/v1/attachments/{file['attachment_id']}")
    assert served.content_type == "text/plain; charset=utf-8"
    assert served.headers["Content-Disposition"].startswith("attachment")
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in served.headers["Content-Security-Policy"]


def test_a_picture_with_a_script_behind_it_is_written_anew(browser: Browser) -> None:
    file = add(browser, make_image("GIF") + b"<script>alert(1)</script>", "a.html")
    served = browser.client.get(f"/api/v1/attachments/{file['attachment_id']}")
    assert served.content_type == "image/jpeg"
    assert b"<script>" not in served.data


def test_a_file_is_sent_once_and_the_same_request_is_answered_again(wired: Browser) -> None:
    file = add(wired)
    key = {"Idempotency-Key": "k1"}
    body = {"message": "Read.", "attachments": [file["attachment_id"]]}
    first = wired.client.post("/chat", json=body, headers=key).get_json()
    again = wired.client.post("/chat", json=body, headers=key).get_json()
    assert again["conversation_id"] == first["conversation_id"]
    without = wired.client.post("/chat", json={"message": "Read."}, headers=key)
    assert without.status_code == 422
    twice = wired.chat("Again.", attachments=[file["attachment_id"]])
    assert (twice.status_code, code_of(twice)) == (409, "file_gone")
    assert len(wired.get("/api/v1/conversations")["conversations"]) == 1


def test_of_two_messages_at_once_one_gets_the_file(wired: Browser) -> None:
    file = add(wired)
    statuses: list[int] = []

    def ask() -> None:
        client = wired.client.application.test_client()
        body = {"message": "Mine.", "attachments": [file["attachment_id"]]}
        statuses.append(client.post("/chat", json=body).status_code)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409]


def test_too_many_or_the_same_twice_are_refused(browser: Browser) -> None:
    ids = [add(browser)["attachment_id"] for _ in range(ATTACHMENTS_PER_MESSAGE + 1)]
    assert browser.chat("Read.", attachments=ids).status_code == 400
    assert browser.chat("Read.", attachments=[ids[0]] * 2).status_code == 400
    assert browser.client.post("/chat/temporary", json={
        "messages": [{"role": "user", "content": "Read."}], "attachments": ids[:1],
    }).status_code == 400  # fmt: skip
