"""Suggestions stay in the memory that they were made in, and with their user."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shared.db import enter_memory
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, memory_of
from shared.store.facts.suggestions import suggest
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.test_operations import PROXY
from tests.integration.web.two_users import ADA, BOB, doubtful

MEMORIES = {"shared": None, "inside": "Inside", "beside": "Beside"}
PATH = "/api/v1/facts/suggestions"


@pytest.fixture
def site(make_browser: MakeBrowser) -> Browser:
    """Ada has a suggestion in each memory, whose value is the memory's name."""
    site = make_browser(**PROXY)
    chat = site.client.post("/chat", json={"message": "Hello"}, headers=ADA).get_json()
    for name in ("Inside", "Beside"):
        for who in (ADA, BOB):
            body = {"name": name, "own_memory": True}
            assert site.client.post("/api/v1/projects", json=body, headers=who).status_code == 201
    for value, project in MEMORIES.items():
        memory = memory_of(project) if project else SHARED_MEMORY
        with site.context.services.database.transaction(user=UserId("ada")) as connection:
            enter_memory(connection, memory)
            suggest(
                connection, UserId("ada"), replace(doubtful(chat["conversation_id"]), value=value)
            )
    return site


def list_open(site: Browser, project: str | None, who: dict[str, str]) -> dict[str, int]:
    query = f"?project={project}" if project else ""
    answer = site.client.get(f"{PATH}{query}", headers=who).get_json()
    return {each["value"]: each["suggestion_id"] for each in answer["suggestions"]}


def list_facts(site: Browser, project: str | None) -> list[str]:
    query = f"?project={project}" if project else ""
    answer = site.client.get(f"/api/v1/facts{query}", headers=ADA).get_json()
    return [fact["value"] for fact in answer["facts"]]


@pytest.mark.parametrize("value", MEMORIES)
def test_each_is_listed_kept_and_dropped_in_its_own_memory(site: Browser, value: str) -> None:
    seen = {name: list_open(site, project, ADA) for name, project in MEMORIES.items()}
    assert {name: list(each) for name, each in seen.items()} == {name: [name] for name in MEMORIES}
    suggestion_id = seen[value][value]
    answer = site.client.post(f"{PATH}/{suggestion_id}/confirm", json={}, headers=ADA)
    assert (answer.status_code, answer.get_json()["project"]) == (201, MEMORIES[value])
    for name, project in MEMORIES.items():
        assert list_facts(site, project) == ([value] if name == value else [])
        assert list(list_open(site, project, ADA)) == ([] if name == value else [name])
    [dropped] = [name for name in MEMORIES if name != value][:1]
    gone = site.client.delete(f"{PATH}/{seen[dropped][dropped]}", headers=ADA)
    assert gone.status_code == 204
    left = {name for name, project in MEMORIES.items() if list_open(site, project, ADA)}
    assert left == MEMORIES.keys() - {value, dropped}


def test_another_user_neither_sees_nor_keeps_nor_drops_one(site: Browser) -> None:
    for value, project in MEMORIES.items():
        [suggestion_id] = list_open(site, project, ADA).values()
        assert list_open(site, project, BOB) == {}
        answer = site.client.post(f"{PATH}/{suggestion_id}/confirm", json={}, headers=BOB)
        assert answer.status_code == 404
        assert site.client.delete(f"{PATH}/{suggestion_id}", headers=BOB).status_code == 404
        assert list(list_open(site, project, ADA)) == [value]


def test_no_prompt_and_no_tool_tells_one_of_another_memory(site: Browser) -> None:
    """Nor one of its own: it is no fact before it is kept."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    for project in MEMORIES.values():
        arguments = {"project": project} if project else {}
        for name, more in (("list_facts", {}), ("recall", {"query": "boat"})):
            params = {"name": name, "arguments": arguments | more}
            answer = site.client.post("/mcp", json=call | {"params": params}, headers=ADA)
            assert answer.status_code == 200
            texts = json.dumps(answer.get_json()["result"].get("structuredContent", {}))
            assert '"value": "' not in texts
