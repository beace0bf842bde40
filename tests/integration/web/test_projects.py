"""Projects over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from shared.db import PgConnection, fetch_rows
from shared.models import UserId
from shared.store import users
from shared.user_data.imports import projects as importing
from tests.integration.locks import wait_for_blocked_statement
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.transfers import PROXY, dialogue, send, whole_text_of
from tests.services import as_owner

pytestmark = pytest.mark.newcomers


def begin(browser: Browser, message: str, **fields: object) -> str:
    if "project" in fields and "conversation_id" not in fields:
        add(browser, fields["project"])
    answer = browser.chat(message, **fields)
    assert answer.status_code == 200, answer.text
    conversation_id: str = answer.get_json()["conversation_id"]
    return conversation_id


def add(browser: Browser, name: object, **fields: object) -> None:
    """Unless it is there already."""
    answer = browser.client.post("/api/v1/projects", json={"name": name, **fields})
    assert answer.status_code in {201, 409}, answer.text


def change(browser: Browser, conversation_id: str, **changes: object) -> Any:
    answer = browser.client.patch(f"/api/v1/conversations/{conversation_id}", json=changes)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def listed(browser: Browser, query: str = "") -> list[str]:
    conversations = browser.get(f"/api/v1/conversations{query}")["conversations"]
    return [conversation["conversation_id"] for conversation in conversations]


def projects(browser: Browser, **headers: str) -> dict[str, int]:
    entries = browser.get("/api/v1/projects", **headers)["projects"]
    return {entry["name"]: entry["count"] for entry in entries}


def project_of(browser: Browser, conversation_id: str) -> str | None:
    project: str | None = browser.get(f"/api/v1/conversations/{conversation_id}/messages")[
        "project"
    ]
    return project


def test_a_conversation_is_put_into_a_project_and_taken_out(browser: Browser) -> None:
    first, second, third = (begin(browser, text) for text in ("One", "Two", "Three"))
    [before] = [
        conversation
        for conversation in whole_list(browser)
        if conversation["conversation_id"] == first
    ]
    assert before["project"] is None
    assert projects(browser) == {}
    assert browser.chat("Hello", project="Nowhere").status_code == 404
    add(browser, "Trips")
    add(browser, "Trips by boat")
    missing = f"/api/v1/conversations/{first}"
    assert browser.client.patch(missing, json={"project": "Nowhere"}).status_code == 404
    assert change(browser, first, project="  Trips ")["project"] == "Trips"
    assert change(browser, second, project="tRIPS")["project"] == "Trips"  # as it is spelt already
    assert change(browser, first, pinned=True)["project"] == "Trips"
    [after] = [
        conversation
        for conversation in whole_list(browser)
        if conversation["conversation_id"] == first
    ]
    assert after == before | {"project": "Trips", "pinned": True}
    assert projects(browser) == {"Trips": 2, "Trips by boat": 0}
    assert listed(browser, "?project=trips") == [second, first]
    assert listed(browser, "?project=") == [third]
    assert listed(browser, "?project=Nowhere") == []
    assert listed(browser) == [third, second, first]
    assert change(browser, second, project=None)["project"] is None
    assert change(browser, first, project="Trips by boat")["project"] == "Trips by boat"
    assert projects(browser) == {"Trips": 0, "Trips by boat": 1}


def whole_list(browser: Browser) -> list[dict[str, Any]]:
    conversations: list[dict[str, Any]] = browser.get("/api/v1/conversations")["conversations"]
    return conversations


def test_projects_and_what_is_in_them_come_page_by_page(browser: Browser) -> None:
    ids = [begin(browser, f"Message {number}", project="b") for number in range(3)]
    for name in ("C", "a"):
        begin(browser, "Another", project=name)
    page = browser.get("/api/v1/projects?limit=2")
    assert [entry["name"] for entry in page["projects"]] == ["a", "b"]
    rest = browser.get(f"/api/v1/projects?limit=2&cursor={page['next_cursor']}")
    assert ([entry["name"] for entry in rest["projects"]], rest["next_cursor"]) == (["C"], None)
    page = browser.get("/api/v1/conversations?project=b&limit=2")
    assert [entry["conversation_id"] for entry in page["conversations"]] == [ids[2], ids[1]]
    assert listed(browser, f"?project=b&limit=2&cursor={page['next_cursor']}") == [ids[0]]
    other = browser.client.get(f"/api/v1/conversations?project=a&cursor={page['next_cursor']}")
    assert other.status_code == 400  # a cursor is good for its own filters


def test_archived_ones_keep_their_project_and_are_not_counted(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", project="Work")
    change(browser, conversation_id, archived=True)
    assert projects(browser) == {"Work": 0}
    assert listed(browser, "?project=Work") == []
    assert listed(browser, "?project=Work&archived=true") == [conversation_id]
    begin(browser, "More", conversation_id=conversation_id)
    assert projects(browser) == {"Work": 1}


def test_a_branch_is_in_the_project_of_its_parent(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", project="Work")
    # A project is that of a new one alone.
    begin(browser, "More", conversation_id=conversation_id, project="Elsewhere")
    answer = browser.client.post(f"/chat/{conversation_id}/2/branch", json={"message": "Less"})
    assert project_of(browser, answer.get_json()["conversation_id"]) == "Work"
    assert projects(browser) == {"Work": 1}


@pytest.mark.parametrize("name", ["Work", "100% & a?b #1", "رحلات", ".a\\b"])
def test_a_project_is_renamed_and_deleted_with_its_chats_staying(
    browser: Browser, name: str
) -> None:
    conversation_id, archived = (
        begin(browser, "One", project=name),
        begin(browser, "Two", project=name),
    )
    begin(browser, "Three", project="Other")
    change(browser, archived, archived=True)
    address = f"/api/v1/projects/{quote(name, safe='')}"
    answer = browser.client.patch(address, json={"name": " Trips "})
    assert answer.status_code == 200, answer.text
    assert {"name": "Trips", "count": 1, "chat_count": 2}.items() <= answer.get_json().items()
    assert (project_of(browser, conversation_id), project_of(browser, archived)) == (
        "Trips",
        "Trips",
    )
    assert browser.client.patch(address, json={"name": "Again"}).status_code == 404
    answer = browser.client.patch("/api/v1/projects/trips", json={"name": "TRIPS"})
    assert answer.get_json()["name"] == "TRIPS"  # the same in other letters
    conflict = browser.client.patch("/api/v1/projects/TRIPS", json={"name": "other"})
    assert (conflict.status_code, conflict.get_json()["code"]) == (409, "name_taken")
    assert browser.client.delete("/api/v1/projects/Trips").status_code == 204
    assert browser.client.delete("/api/v1/projects/Trips").status_code == 404
    assert projects(browser) == {"Other": 1}
    assert project_of(browser, conversation_id) is None
    assert listed(browser, "?archived=true") == [archived]
    events = browser.get("/api/v1/audit")["events"]
    actions = [event["action"] for event in events if event["action"].startswith("project.")]
    assert actions == [
        "project.delete", "project.change", "project.change", "project.create", "project.create",
    ]  # fmt: skip
    assert all(name not in str(event) for event in events)


def test_others_are_told_of_a_change_to_a_project(browser: Browser) -> None:
    conversation_id = begin(browser, "Hello", project="Work")
    redis: Any = browser.context.services.redis
    for method, name, body in (("PATCH", "Work", {"name": "Play"}), ("DELETE", "Play", None)):
        [(before, _)] = redis.xrevrange("events:news", count=1)
        answer = browser.client.open(f"/api/v1/projects/{name}", method=method, json=body)
        assert answer.status_code in {200, 204}
        [(position, news)] = redis.xrevrange("events:news", count=1)
        assert position != before
        assert news["conversation"] == conversation_id


@pytest.mark.parametrize("name", ["", " ", "a/b", "..", "a\nb", "x" * 61, 7])
def test_what_is_no_name_is_refused(browser: Browser, name: object) -> None:
    conversation_id = begin(browser, "Hello", project="Work")
    address = f"/api/v1/conversations/{conversation_id}"
    assert browser.client.patch(address, json={"project": name}).status_code == 400
    renamed = browser.client.patch("/api/v1/projects/Work", json={"name": name})
    assert renamed.status_code == 400
    assert browser.chat("Hello", project=name).status_code == 400
    assert projects(browser) == {"Work": 1}


def test_a_list_of_what_is_no_project_is_refused(browser: Browser) -> None:
    for query in ("project=a%2Fb", "project=a%00b", f"project={'x' * 61}"):
        assert browser.client.get(f"/api/v1/conversations?{query}").status_code == 400
    assert browser.client.delete("/api/v1/projects/a%00b").status_code == 404


def test_exports_and_imports_keep_projects(browser: Browser) -> None:
    begin(browser, "Hello", project="Work")
    for number, name in enumerate(["WORK", "Trips", "a/b", 7, None]):
        send(browser, dialogue(id=f"d-{number}", project=name))
    assert projects(browser) == {"Trips": 1, "Work": 2}
    exported = json.loads(whole_text_of(browser))["conversations"]
    assert sorted(str(conversation["project"]) for conversation in exported) == [
        "None", "None", "None", "Trips", "Work", "Work",
    ]  # fmt: skip


def test_an_import_makes_no_more_projects_than_there_may_be(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MAX_PROJECTS", 2)
    for number in range(4):
        send(browser, dialogue(id=f"d-{number}", project=f"P{number}"))
    assert projects(browser) == {"P0": 1, "P1": 1}
    assert len(listed(browser, "")) == 4
    document = json.loads(whole_text_of(browser))
    document["projects"].append({"name": "P4", "own_memory": True})
    answer = browser.client.post("/api/v1/imports", json=document)
    assert (answer.status_code, answer.get_json()["detail"]) == (400, importing.FULL)
    assert projects(browser) == {"P0": 1, "P1": 1}


def test_each_user_has_their_own(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    for message, who, name in (("One", ada, "Work"), ("Two", bob, "WORK")):
        site.client.post("/api/v1/projects", json={"name": name}, headers=who)
        body = {"message": message, "project": name}
        assert site.client.post("/chat", json=body, headers=who).status_code == 200
    assert (projects(site, **ada), projects(site, **bob)) == ({"Work": 1}, {"WORK": 1})
    renamed = site.client.patch("/api/v1/projects/work", json={"name": "Play"}, headers=bob)
    assert (renamed.get_json()["name"], renamed.get_json()["count"]) == ("Play", 1)
    assert site.client.delete("/api/v1/projects/Work", headers=bob).status_code == 404
    with site.context.services.database.transaction(user=UserId("ada")) as connection:
        [row] = fetch_rows(connection, "SELECT project FROM conversations")
    assert row["project"] == "Work"


def test_taking_a_chat_out_of_its_project_waits_for_a_change_of_projects(
    make_separate_browser: MakeBrowser,
) -> None:
    browser = make_separate_browser()
    conversation_id = begin(browser, "One", project="Work")
    services = browser.context.services
    with ThreadPoolExecutor(1) as pool:
        with as_owner(services) as connection:
            users.lock_user(connection, UserId("local"))
            client = browser.client.application.test_client()
            place = f"/api/v1/conversations/{conversation_id}"
            request = pool.submit(client.patch, place, json={"project": None})
            wait_for_blocked_statement(services.settings.database_url)
            assert projects_of(connection) == ["Work"]
        assert request.result(60).status_code == 200
    assert project_of(browser, conversation_id) is None


def test_a_project_is_renamed_behind_a_round_that_ends(make_separate_browser: MakeBrowser) -> None:
    browser = make_separate_browser()
    begin(browser, "One", project="Work")
    services = browser.context.services
    with ThreadPoolExecutor(1) as pool:
        with as_owner(services) as connection:
            fetch_rows(connection, "SELECT FROM conversations FOR NO KEY UPDATE")
            client = browser.client.application.test_client()
            request = pool.submit(client.patch, "/api/v1/projects/Work", json={"name": "Play"})
            wait_for_blocked_statement(services.settings.database_url)
            # What a foreign key asks: the two would wait for each other.
            [row] = fetch_rows(connection, "SELECT name FROM projects FOR KEY SHARE NOWAIT")
            assert row["name"] == "Work"
        assert request.result(60).status_code == 200
    assert projects(browser) == {"Play": 1}


def projects_of(connection: PgConnection) -> list[str]:
    return [row["project"] for row in fetch_rows(connection, "SELECT project FROM conversations")]
