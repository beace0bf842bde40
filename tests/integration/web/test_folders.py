"""Folders over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from shared.db import PgConnection, execute, fetch_rows
from shared.models import UserId
from shared.store import users
from tests.integration.locks import wait_for_blocked_statement
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.transfers import PROXY, dialogue, send, whole_text_of
from tests.services import as_owner

pytestmark = pytest.mark.newcomers


def begin(browser: Browser, message: str, **fields: object) -> str:
    answer = browser.chat(message, **fields)
    assert answer.status_code == 200, answer.text
    conversation_id: str = answer.get_json()["conversation_id"]
    return conversation_id


def change(browser: Browser, conversation_id: str, **changes: object) -> Any:
    answer = browser.client.patch(f"/api/v1/conversations/{conversation_id}", json=changes)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def listed(browser: Browser, query: str = "") -> list[str]:
    conversations = browser.get(f"/api/v1/conversations{query}")["conversations"]
    return [conversation["conversation_id"] for conversation in conversations]


def folders(browser: Browser, **headers: str) -> dict[str, int]:
    entries = browser.get("/api/v1/folders", **headers)["folders"]
    return {entry["name"]: entry["count"] for entry in entries}


def folder_of(browser: Browser, conversation_id: str) -> str | None:
    folder: str | None = browser.get(f"/api/v1/conversations/{conversation_id}/messages")["folder"]
    return folder


def test_a_conversation_is_put_into_a_folder_and_taken_out(browser: Browser) -> None:
    first, second, third = (begin(browser, text) for text in ("One", "Two", "Three"))
    [before] = [
        conversation
        for conversation in whole_list(browser)
        if conversation["conversation_id"] == first
    ]
    assert before["folder"] is None
    assert folders(browser) == {}
    assert change(browser, first, folder="  Trips ")["folder"] == "Trips"
    assert change(browser, second, folder="tRIPS")["folder"] == "Trips"  # as it is spelt already
    assert change(browser, first, pinned=True)["folder"] == "Trips"
    [after] = [
        conversation
        for conversation in whole_list(browser)
        if conversation["conversation_id"] == first
    ]
    assert after == before | {"folder": "Trips", "pinned": True}
    assert folders(browser) == {"Trips": 2}
    assert listed(browser, "?folder=trips") == [second, first]
    assert listed(browser, "?folder=") == [third]
    assert listed(browser, "?folder=Nowhere") == []
    assert listed(browser) == [third, second, first]
    assert change(browser, second, folder=None)["folder"] is None
    assert change(browser, first, folder="Trips by boat")["folder"] == "Trips by boat"
    assert folders(browser) == {"Trips by boat": 1}


def whole_list(browser: Browser) -> list[dict[str, Any]]:
    conversations: list[dict[str, Any]] = browser.get("/api/v1/conversations")["conversations"]
    return conversations


def test_folders_and_what_is_in_them_come_page_by_page(browser: Browser) -> None:
    ids = [begin(browser, f"Message {number}", folder="b") for number in range(3)]
    for name in ("C", "a"):
        begin(browser, "Another", folder=name)
    page = browser.get("/api/v1/folders?limit=2")
    assert [entry["name"] for entry in page["folders"]] == ["a", "b"]
    rest = browser.get(f"/api/v1/folders?limit=2&cursor={page['next_cursor']}")
    assert ([entry["name"] for entry in rest["folders"]], rest["next_cursor"]) == (["C"], None)
    page = browser.get("/api/v1/conversations?folder=b&limit=2")
    assert [entry["conversation_id"] for entry in page["conversations"]] == [ids[2], ids[1]]
    assert listed(browser, f"?folder=b&limit=2&cursor={page['next_cursor']}") == [ids[0]]
    other = browser.client.get(f"/api/v1/conversations?folder=a&cursor={page['next_cursor']}")
    assert other.status_code == 400  # a cursor is good for its own filters


def test_archived_ones_keep_their_folder_and_are_not_counted(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", folder="Work")
    change(browser, conversation_id, archived=True)
    assert folders(browser) == {"Work": 0}
    assert listed(browser, "?folder=Work") == []
    assert listed(browser, "?folder=Work&archived=true") == [conversation_id]
    begin(browser, "More", conversation_id=conversation_id)
    assert folders(browser) == {"Work": 1}


def test_a_chat_with_branches_is_one_in_its_folder(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", folder="Work")
    # A folder is that of a new one alone.
    begin(browser, "More", conversation_id=conversation_id, folder="Elsewhere")
    answer = browser.client.post(f"/chat/{conversation_id}/2/branch", json={"message": "Less"})
    assert folder_of(browser, answer.get_json()["conversation_id"]) == "Work"
    assert folders(browser) == {"Work": 1}


@pytest.mark.parametrize("name", ["Work", "100% & a?b #1", "رحلات", ".a\\b"])
def test_a_folder_is_renamed_and_deleted_with_its_chats_staying(
    browser: Browser, name: str
) -> None:
    conversation_id, archived = (
        begin(browser, "One", folder=name),
        begin(browser, "Two", folder=name),
    )
    begin(browser, "Three", folder="Other")
    change(browser, archived, archived=True)
    address = f"/api/v1/folders/{quote(name, safe='')}"
    answer = browser.client.patch(address, json={"name": " Trips "})
    assert (answer.status_code, answer.get_json()) == (200, {"name": "Trips", "count": 1})
    assert (folder_of(browser, conversation_id), folder_of(browser, archived)) == ("Trips", "Trips")
    assert browser.client.patch(address, json={"name": "Again"}).status_code == 404
    answer = browser.client.patch("/api/v1/folders/trips", json={"name": "TRIPS"})
    assert answer.get_json()["name"] == "TRIPS"  # the same in other letters
    conflict = browser.client.patch("/api/v1/folders/TRIPS", json={"name": "other"})
    assert (conflict.status_code, conflict.get_json()["code"]) == (409, "name_taken")
    assert browser.client.delete("/api/v1/folders/Trips").status_code == 204
    assert browser.client.delete("/api/v1/folders/Trips").status_code == 404
    assert folders(browser) == {"Other": 1}
    assert folder_of(browser, conversation_id) is None
    assert listed(browser, "?archived=true") == [archived]
    events = browser.get("/api/v1/audit")["events"]
    actions = [event["action"] for event in events if event["action"].startswith("folder.")]
    assert actions == ["folder.delete", "folder.change", "folder.change"]
    assert all(name not in str(event) for event in events)


def test_others_are_told_of_a_change_to_a_folder(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", folder="Work")
    redis: Any = browser.context.services.redis
    for method, name, body in (("PATCH", "Work", {"name": "Play"}), ("DELETE", "Play", None)):
        [(before, _)] = redis.xrevrange("events:news", count=1)
        answer = browser.client.open(f"/api/v1/folders/{name}", method=method, json=body)
        assert answer.status_code in {200, 204}
        [(position, news)] = redis.xrevrange("events:news", count=1)
        assert position != before
        assert news["conversation"] == conversation_id


@pytest.mark.parametrize("name", ["", " ", "a/b", "..", "a\nb", "x" * 61, 7])
def test_what_is_no_name_is_refused(browser: Browser, name: object) -> None:
    conversation_id = begin(browser, "Hello", folder="Work")
    address = f"/api/v1/conversations/{conversation_id}"
    assert browser.client.patch(address, json={"folder": name}).status_code == 400
    renamed = browser.client.patch("/api/v1/folders/Work", json={"name": name})
    assert renamed.status_code == 400
    assert browser.chat("Hello", folder=name).status_code == 400
    assert folders(browser) == {"Work": 1}


def test_a_list_of_what_is_no_folder_is_refused(browser: Browser) -> None:
    for query in ("folder=a%2Fb", "folder=a%00b", f"folder={'x' * 61}"):
        assert browser.client.get(f"/api/v1/conversations?{query}").status_code == 400
    assert browser.client.delete("/api/v1/folders/a%00b").status_code == 404


def test_exports_and_imports_keep_folders(browser: Browser) -> None:
    begin(browser, "Hello", folder="Work")
    for number, name in enumerate(["WORK", "Trips", "a/b", 7, None]):
        send(browser, dialogue(id=f"d-{number}", folder=name))
    assert folders(browser) == {"Trips": 1, "Work": 2}
    exported = json.loads(whole_text_of(browser))["conversations"]
    assert sorted(str(conversation["folder"]) for conversation in exported) == [
        "None", "None", "None", "Trips", "Work", "Work",
    ]  # fmt: skip


def test_each_user_has_their_own(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    for message, who, name in (("One", ada, "Work"), ("Two", bob, "WORK")):
        body = {"message": message, "folder": name}
        assert site.client.post("/chat", json=body, headers=who).status_code == 200
    assert (folders(site, **ada), folders(site, **bob)) == ({"Work": 1}, {"WORK": 1})
    renamed = site.client.patch("/api/v1/folders/work", json={"name": "Play"}, headers=bob)
    assert renamed.get_json() == {"name": "Play", "count": 1}
    assert site.client.delete("/api/v1/folders/Work", headers=bob).status_code == 404
    with site.context.services.database.transaction(user=UserId("ada")) as connection:
        [row] = fetch_rows(connection, "SELECT folder FROM conversations")
    assert row["folder"] == "Work"


@pytest.mark.parametrize("is_renamed", [True, False])
def test_a_folder_whose_chats_go_meanwhile_is_not_there_any_more(
    make_separate_browser: MakeBrowser, is_renamed: bool
) -> None:
    """The last chat is deleted between the look at the folder's name and the change."""
    browser = make_separate_browser()
    conversation_id = begin(browser, "One")
    change(browser, conversation_id, folder="Work")
    services = browser.context.services
    with ThreadPoolExecutor(1) as pool:
        with as_owner(services) as connection:
            execute(
                connection,
                "DELETE FROM conversations WHERE conversation_id = %(id)s",
                id=conversation_id,
            )
            client = browser.client.application.test_client()
            request = pool.submit(
                client.open,
                "/api/v1/folders/Work",
                method="PATCH" if is_renamed else "DELETE",
                json={"name": "Home"} if is_renamed else None,
            )
            wait_for_blocked_statement(services.settings.database_url)
        assert request.result(60).status_code == 404


def test_taking_a_chat_out_of_its_folder_waits_for_a_change_of_folders(
    make_separate_browser: MakeBrowser,
) -> None:
    browser = make_separate_browser()
    conversation_id = begin(browser, "One")
    change(browser, conversation_id, folder="Work")
    services = browser.context.services
    with ThreadPoolExecutor(1) as pool:
        with as_owner(services) as connection:
            users.lock_user(connection, UserId("local"))
            client = browser.client.application.test_client()
            place = f"/api/v1/conversations/{conversation_id}"
            request = pool.submit(client.patch, place, json={"folder": None})
            wait_for_blocked_statement(services.settings.database_url)
            assert folders_of(connection) == ["Work"]
        assert request.result(60).status_code == 200
    assert folder_of(browser, conversation_id) is None


def folders_of(connection: PgConnection) -> list[str]:
    return [row["folder"] for row in fetch_rows(connection, "SELECT folder FROM conversations")]
