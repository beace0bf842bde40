"""Files of a project: every chat of it may use them, and nothing is learned from them."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rounds.notes import FILE_SIGN
from tests.integration.web.attachments import add, rows
from tests.integration.web.attachments import send as send_message
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.test_own_memory import add_project, begin, learn

ADDRESS = "/api/v1/projects/Boat/files"
TEXT = "My name is Zebedee. The mast of the Quillonax is made of larch."
QUESTION = "What is the mast of the Quillonax made of?"


def keep(browser: Browser, text: str = TEXT, name: str = "mast.txt") -> dict[str, Any]:
    file = add(browser, text, name)
    answer = browser.client.post(ADDRESS, json={"attachment_id": file["attachment_id"]})
    assert answer.status_code == 201, answer.text
    file_json: dict[str, Any] = answer.get_json()
    return file_json


def passages(browser: Browser, **fields: object) -> list[dict[str, Any]]:
    """What a new chat's prompt was given of files."""
    conversation_id = begin(browser, QUESTION, **fields)
    trace = browser.get(f"/api/v1/conversations/{conversation_id}/messages/1/trace")["trace"]
    entries: list[dict[str, Any]] = trace["passages"]
    return entries


@pytest.mark.parametrize("own_memory", [False, True])
def test_a_file_is_given_to_the_chats_of_its_project(
    make_browser: MakeBrowser, own_memory: bool
) -> None:
    browser = make_browser()
    add_project(browser, "Boat", own_memory=own_memory)
    file = keep(browser)
    learn(browser)
    assert [entry["name"] for entry in passages(browser, project="Boat")] == ["mast.txt"]
    assert bool(passages(browser)) is not own_memory
    for query in ("", "?project=Boat"):
        assert browser.get(f"/api/v1/facts{query}")["facts"] == []
    where = f"/api/v1/conversations/{file['conversation_id']}/messages"
    texts = [message["content"] for message in browser.get(where)["messages"]]
    assert texts == [FILE_SIGN, "Noted."]


def test_files_are_listed_by_pages_and_deleted(browser: Browser) -> None:
    add_project(browser, "Boat")
    first, second = keep(browser), keep(browser, "Larch.", "wood.txt")
    page = browser.get(f"{ADDRESS}?limit=1")
    assert page["files"] == [first]
    assert browser.get(f"{ADDRESS}?limit=1&cursor={page['next_cursor']}")["files"] == [second]
    again = browser.client.post(ADDRESS, json={"attachment_id": first["attachment_id"]})
    assert (again.status_code, again.get_json()["code"]) == (409, "file_gone")
    # A file that was sent with words is of its message alone.
    chat = add(browser, "Oak.", "oak.txt")
    send_message(browser, "Read this.", chat, conversation_id=first["conversation_id"])
    for status in (204, 404):
        answer = browser.client.delete(f"{ADDRESS}/{first['attachment_id']}")
        assert answer.status_code == status
    assert browser.client.delete(f"{ADDRESS}/{chat['attachment_id']}").status_code == 404
    assert browser.get(ADDRESS)["files"] == [second]
    assert rows(browser) == 4  # the other two
