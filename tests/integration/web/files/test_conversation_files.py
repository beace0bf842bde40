"""One conversation as a file, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import PROXY, conversations_of, dialogue, send, utterance

pytestmark = pytest.mark.newcomers


def path_of(browser: Browser, **headers: str) -> str:
    [conversation] = conversations_of(browser, **headers)
    return f"/api/v1/conversations/{conversation['conversation_id']}"


def test_markdown_is_what_was_said_in_its_order(browser: Browser) -> None:
    send(browser, dialogue())
    answer = browser.client.get(f"{path_of(browser)}/export")
    assert (answer.status_code, answer.mimetype) == (200, "text/markdown")
    assert answer.headers["Content-Disposition"] == "attachment; filename=A-dialogue.md"
    lines = [line for line in answer.text.splitlines() if line]
    assert lines[0] == "# A dialogue"
    assert lines[1].startswith("*Exported from Throughline on 20")
    assert lines[2:6] == [
        "## You, 2024-03-05 10:00 UTC", "user says 0",
        "## Reply, 2024-03-05 10:01 UTC", "assistant says 0",
    ]  # fmt: skip


def test_json_can_be_imported_again(browser: Browser, make_browser: Callable[..., Browser]) -> None:
    send(browser, dialogue())
    answer = browser.client.get(f"{path_of(browser)}/export?format=json")
    assert answer.mimetype == "application/json"
    assert "filename=A-dialogue.json" in answer.headers["Content-Disposition"]
    document = answer.get_json()
    assert document["format"] == "throughline-export"
    browser.client.delete(path_of(browser))
    send(browser, document)
    [conversation] = conversations_of(browser)
    assert conversation["title"] == "A dialogue"
    messages = browser.messages(conversation["conversation_id"])
    assert [message["content"] for message in messages] == [
        "user says 0", "assistant says 0", "user says 1", "assistant says 1",
    ]  # fmt: skip


def test_no_file_has_what_was_deleted_or_remembered(browser: Browser) -> None:
    send(browser, dialogue())
    path = path_of(browser)
    assert browser.client.delete(f"{path}/messages/0").status_code == 200
    browser.chat("My name is Ada.", conversation_id=path.rsplit("/", 1)[1])
    for kind in ("markdown", "json"):
        text = browser.client.get(f"{path}/export?format={kind}").text
        assert "user says 0" not in text
        assert "assistant says 0" in text
        assert "trace" not in text


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ('../../etc/passwd"; rm', "etc-passwd-rm.md"),
        ("a\r\nSet-Cookie: b", "a-Set-Cookie-b.md"),
        ("…", "chat-2024-03-05.md"),
        ("x" * 200, "x" * 60 + ".md"),
        ("Überfahrt nach 東京", "Überfahrt-nach-東京.md"),
    ],
)
def test_a_title_makes_a_harmless_file_name(browser: Browser, title: str, name: str) -> None:
    send(browser, dialogue(title=title))
    disposition = browser.client.get(f"{path_of(browser)}/export").headers["Content-Disposition"]
    if name.isascii():
        assert disposition == f"attachment; filename={name}"
    else:
        assert disposition.endswith(f"filename*=UTF-8''{quote(name)}")


def test_nobody_exports_what_is_anothers(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = {"X-Forwarded-User": "ada"}, {"X-Forwarded-User": "bob"}
    send(
        site,
        dialogue(messages=[utterance("user", "A secret."), utterance("assistant", "Kept.")]),
        **ada,
    )
    path = f"{path_of(site, **ada)}/export"
    assert "A secret." in site.client.get(path, headers=ada).text
    for kind in ("markdown", "json"):
        answer = site.client.get(f"{path}?format={kind}", headers=bob)
        assert (answer.status_code, "secret" in answer.text) == (404, False)
    assert site.client.get(f"{path}?format=pdf", headers=ada).status_code == 400


def test_each_export_is_in_the_audit_log(browser: Browser) -> None:
    send(browser, dialogue())
    path = path_of(browser)
    for _ in range(2):
        browser.client.get(f"{path}/export")
    events = browser.get("/api/v1/audit")["events"]
    noted = [event for event in events if event["action"] == "conversation.export"]
    assert [json.dumps(event).count(path.rsplit("/", 1)[1]) for event in noted] == [1, 1]
