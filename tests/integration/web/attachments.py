"""Files of messages: sent, asked about, counted."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from shared.db import fetch_rows
from tests.fakes.openai_json import CONTEXT_END
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.web.conftest import Browser
from tests.services import as_owner

FILE = {"Content-Type": "application/octet-stream"}

NOTES = "The boiler was repaired in March.\nThe key hangs behind the red door.\n"


def upload(browser: Browser, content: bytes, name: str = "notes.txt") -> TestResponse:
    where = {"query_string": {"name": name}, "headers": FILE}
    return browser.client.post("/api/v1/attachments", data=content, **where)


def add(browser: Browser, content: bytes | str = NOTES, name: str = "notes.txt") -> dict[str, Any]:
    answer = upload(browser, content.encode() if isinstance(content, str) else content, name)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def send(browser: Browser, message: str, *files: dict[str, Any], **more: object) -> dict[str, Any]:
    ids = [file["attachment_id"] for file in files]
    answer = browser.chat(message, attachments=ids, **more)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def read_request(server: FakeOpenAI) -> Any:
    """What the model was last asked, as it went over the wire, without the context before it."""
    content = server.requests[-1].body["messages"][-1]["content"]
    if isinstance(content, str):
        return content.rpartition(CONTEXT_END)[2]
    first, *rest = content
    return [{**first, "text": first["text"].rpartition(CONTEXT_END)[2]}, *rest]


def rows(browser: Browser) -> int:
    with as_owner(browser.context.services) as connection:
        sql = """SELECT (SELECT count(*) FROM attachments) +
                        (SELECT count(*) FROM attachment_contents) AS count"""
        return int(fetch_rows(connection, sql)[0]["count"])


def stored_bytes(browser: Browser) -> int:
    quotas = browser.get("/api/v1/me/quotas")["quotas"]
    return next(int(quota["used"]) for quota in quotas if quota["name"] == "storage")
