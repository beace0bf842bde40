"""Projects and their memories, changed by their user: moves, facts, wishes to forget, deletion."""

from __future__ import annotations

from typing import Any

from shared.db import fetch_rows
from shared.models.memory_scope import ALL_MEMORIES, SHARED_MEMORY, memory_of
from tests.integration.web.conftest import Browser
from tests.integration.web.test_own_memory import add_project, begin, learn


def move(browser: Browser, conversation_id: str, project: str | None) -> dict[str, Any]:
    """Returns what it was said to do."""
    address = f"/api/v1/conversations/{conversation_id}"
    preview: dict[str, Any] = browser.get(f"{address}/move?project={project or ''}")
    answer = browser.client.patch(address, json={"project": project})
    assert answer.status_code == 200, answer.text
    return preview


def values(browser: Browser, project: str | None = None) -> set[str]:
    """The current facts of a memory."""
    query = f"?project={project}" if project else ""
    return {fact["value"] for fact in browser.get(f"/api/v1/facts{query}")["facts"]}


def test_a_move_takes_along_what_only_this_chat_has_taught(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    first = begin(browser, "My name is Ada. I live in Oslo.")
    learn(browser)
    begin(browser, "I live in Bergen.")
    learn(browser)
    assert {"Ada", "Bergen"} <= values(browser)
    moved = move(browser, first, "Red")
    expected = {
        "changes_memory": True, "from_memory": None, "to_memory": "Red",
        "facts_moved": 1, "facts_kept": 0,
    }  # fmt: skip
    assert moved == expected
    assert values(browser) == {"Bergen"}
    assert values(browser, "Red") == {"Ada"}
    [project] = browser.get("/api/v1/projects")["projects"]
    assert (project["chat_count"], project["fact_count"]) == (1, 1)

    begin(browser, "My name is Eve.")  # the same slot, in the other memory
    learn(browser)
    assert (values(browser), values(browser, "Red")) == ({"Bergen", "Eve"}, {"Ada"})
    moved = move(browser, first, None)
    assert (moved["facts_moved"], moved["facts_kept"]) == (0, 1)
    assert (values(browser), values(browser, "Red")) == ({"Bergen", "Eve"}, {"Ada"})
    hits = browser.get("/api/v1/search?q=Oslo")
    assert [message["conversation_id"] for message in hits["messages"]] == [first] * len(
        hits["messages"]
    )
    assert hits["messages"]


def test_a_chat_moves_with_all_its_branches(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    first = begin(browser, "My name is Ada.")
    begin(browser, "I live in Oslo.", conversation_id=first)
    answer = browser.client.post(f"/chat/{first}/2/branch", json={"message": "I am a nurse."})
    other = answer.get_json()["conversation_id"]
    learn(browser)
    assert values(browser) == {"Ada", "Oslo", "a nurse"}
    assert move(browser, other, "Red")["facts_moved"] == 3
    assert (values(browser), values(browser, "Red")) == (set(), {"Ada", "Oslo", "a nurse"})
    for branch in (first, other):
        page = browser.get(f"/api/v1/conversations/{branch}/messages")
        assert page["project"] == "Red"


def test_facts_of_two_memories_are_changed_apart(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    fact = {"category": "identity", "key": "home_city"}
    shared = browser.client.post("/api/v1/facts", json=fact | {"value": "Oslo"}).get_json()
    inside = browser.client.post(
        "/api/v1/facts", json=fact | {"value": "Rome", "project": "red"}
    ).get_json()
    assert (shared["project"], inside["project"]) == (None, "Red")
    address = f"/api/v1/facts/{inside['fact_id']}"
    changed = browser.client.patch(address, json={"value": "Naples"}).get_json()
    assert (changed["value"], changed["project"]) == ("Naples", "Red")
    assert (values(browser), values(browser, "Red")) == ({"Oslo"}, {"Naples"})
    address = f"/api/v1/facts/{changed['fact_id']}"
    versions = browser.get(f"{address}/versions")["versions"]
    assert [version["value"] for version in versions] == ["Naples", "Rome"]
    assert browser.client.post(f"{address}/undo", json={}).get_json()["value"] == "Rome"
    assert browser.client.delete(f"/api/v1/facts/{inside['fact_id']}").status_code == 200
    assert (values(browser), values(browser, "Red")) == ({"Oslo"}, set())
    assert browser.client.get("/api/v1/facts?project=Nowhere").status_code == 404


def test_a_query_without_where_sees_the_facts_of_one_memory(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    for fields in ({"value": "Oslo"}, {"value": "Rome", "project": "Red"}):
        fact = {"category": "identity", "key": "home_city"} | fields
        assert browser.client.post("/api/v1/facts", json=fact).status_code == 201
    database = browser.context.services.database
    for memory, cities in (
        (SHARED_MEMORY, ["Oslo"]), (memory_of("Red"), ["Rome"]), (memory_of("Blue"), []),
        (ALL_MEMORIES, ["Oslo", "Rome"]),
    ):  # fmt: skip
        with database.transaction(user=browser.user_id, memory=memory) as connection:
            rows = fetch_rows(connection, "SELECT value FROM structured_facts ORDER BY value")
        assert [row["value"] for row in rows] == cities


def test_forgetting_in_a_project_forgets_there(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    for fields in ({}, {"project": "Red"}):
        begin(browser, "My dog is called Rex.", **fields)
    learn(browser)
    assert (values(browser), values(browser, "Red")) == ({"Rex"}, {"Rex"})
    begin(browser, "Please forget that my dog is called Rex.", project="Red")
    learn(browser)
    assert (values(browser), values(browser, "Red")) == ({"Rex"}, set())
    assert browser.get("/api/v1/search?q=Rex")["messages"]
    assert not browser.get("/api/v1/search?q=Rex&project=Red")["messages"]


def test_a_project_with_a_memory_is_deleted_as_its_user_says(browser: Browser) -> None:
    add_project(browser, "Red", own_memory=True)
    conversation_id = begin(browser, "My name is Ada.", project="Red")
    learn(browser)
    refused = browser.client.delete("/api/v1/projects/Red")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "conflict")
    frozen = browser.client.patch("/api/v1/projects/Red", json={"own_memory": False})
    assert frozen.status_code == 409
    renamed = browser.client.patch("/api/v1/projects/Red", json={"name": "Crimson"})
    assert (renamed.get_json()["fact_count"], values(browser, "Crimson")) == (1, {"Ada"})
    assert browser.client.delete("/api/v1/projects/Crimson?chats=share").status_code == 204
    assert values(browser) == {"Ada"}
    assert browser.get(f"/api/v1/conversations/{conversation_id}/messages")["project"] is None


def test_a_project_instructs_its_chats_and_chooses_who_answers(browser: Browser) -> None:
    persona = browser.client.post(
        "/api/v1/personas", json={"name": "Editor", "instructions": "Be strict."}
    ).get_json()
    [model, *_] = browser.get("/api/v1/models")["models"]
    add_project(
        browser, "Sea", instructions=" Speak of boats. ", persona_id=persona["persona_id"],
        model=model["name"],
    )  # fmt: skip
    conversation_id = begin(browser, "Hello", project="Sea")
    [conversation] = browser.get("/api/v1/conversations")["conversations"]
    chosen = conversation["persona_id"], conversation["model"]
    assert chosen == (persona["persona_id"], model["name"])
    begin(browser, "Hello", project="Sea", agent=conversation["agent"], model=None)
    other = browser.get("/api/v1/conversations")["conversations"][0]
    assert (other["persona_id"], other["model"]) == (None, None)
    assert browser.client.delete(f"/api/v1/personas/{persona['persona_id']}").status_code == 204
    assert browser.get("/api/v1/projects/sea")["persona_id"] is None
    begin(browser, "And on", conversation_id=conversation_id)
