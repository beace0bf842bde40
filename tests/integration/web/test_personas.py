"""Personas: what a user writes is what the model is told, in the chats that were begun with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI
from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY

pytestmark = pytest.mark.newcomers

PERSONAS = "/api/v1/personas"
PIRATE = {"name": "Pirate", "instructions": "You are a pirate called Anne."}
ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))


def write(browser: Browser, **fields: object) -> dict[str, Any]:
    answer = browser.client.post(PERSONAS, json=PIRATE | fields)
    assert answer.status_code == 201, answer.text
    persona: dict[str, Any] = answer.get_json()
    return persona


def system_prompt(server: FakeOpenAI) -> str:
    replies = [
        request.body["messages"][0]["content"]
        for request in server.requests
        if not request.body["messages"][0]["content"].startswith("Task: ")
    ]
    return str(replies[-1])


def test_the_model_is_told_what_the_persona_says(wired: Browser, openai_server: FakeOpenAI) -> None:
    persona = write(wired, mode="passive")
    conversation_id = wired.chat("Hello", persona_id=persona["persona_id"]).get_json()[
        "conversation_id"
    ]
    assert PIRATE["instructions"] in system_prompt(openai_server)
    [listed] = wired.get("/api/v1/conversations")["conversations"]
    fields = {name: listed[name] for name in ("agent", "persona_id", "mode", "model")}
    assert fields == {
        "agent": "general", "persona_id": persona["persona_id"], "mode": "passive", "model": None,
    }  # fmt: skip
    wired.chat("And again", conversation_id=conversation_id)
    assert PIRATE["instructions"] in system_prompt(openai_server)
    assert wired.client.post(f"/chat/{conversation_id}/3/retry", json={}).status_code == 200
    assert PIRATE["instructions"] in system_prompt(openai_server)
    branch = {"message": "Other words"}
    assert wired.client.post(f"/chat/{conversation_id}/2/branch", json=branch).status_code == 200
    assert PIRATE["instructions"] in system_prompt(openai_server)
    wired.chat("Somebody else")
    assert "pirate" not in system_prompt(openai_server)


def test_a_change_counts_from_the_next_reply_on(wired: Browser, openai_server: FakeOpenAI) -> None:
    persona = write(wired)
    conversation_id = wired.chat("Hello", persona_id=persona["persona_id"]).get_json()[
        "conversation_id"
    ]
    address = f"{PERSONAS}/{persona['persona_id']}"
    changed = wired.client.patch(address, json={"instructions": "You are a baker."}).get_json()
    assert changed["name"] == "Pirate"
    wired.chat("And now?", conversation_id=conversation_id)
    assert "You are a baker." in system_prompt(openai_server)


def test_the_chats_of_a_deleted_persona_go_on_with_the_sites_agent(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    persona = write(wired)
    conversation_id = wired.chat("Hello", persona_id=persona["persona_id"]).get_json()[
        "conversation_id"
    ]
    assert wired.client.delete(f"{PERSONAS}/{persona['persona_id']}").status_code == 204
    assert wired.chat("Still there?", conversation_id=conversation_id).status_code == 200
    assert "pirate" not in system_prompt(openai_server)
    [listed] = wired.get("/api/v1/conversations")["conversations"]
    assert listed["persona_id"] is None
    assert wired.get(PERSONAS)["personas"] == []


def test_its_model_and_mode_are_those_that_a_chat_begins_with(make_browser: Any) -> None:
    site = make_browser(llm_fallbacks=("offline/extractive",), llm_model="offline/extractive")
    persona = write(site, mode="off", model="offline/extractive")
    site.chat("Hello", persona_id=persona["persona_id"])
    site.chat("Hello", persona_id=persona["persona_id"], mode="active")
    begun = site.get("/api/v1/conversations")["conversations"]
    assert [(conversation["mode"], conversation["model"]) for conversation in begun] == [
        ("active", "offline/extractive"),
        ("off", "offline/extractive"),
    ]
    changed = site.client.patch(f"{PERSONAS}/{persona['persona_id']}", json={"model": None})
    assert changed.get_json()["model"] is None
    assert site.client.post(PERSONAS, json=PIRATE | {"model": "GPT-9"}).status_code == 400


def test_a_temporary_chat_may_name_one(wired: Browser, openai_server: FakeOpenAI) -> None:
    persona = write(wired)
    body = {"messages": [{"role": "user", "content": "Hello"}], "persona_id": persona["persona_id"]}
    assert wired.client.post("/chat/temporary", json=body).status_code == 200
    assert PIRATE["instructions"] in system_prompt(openai_server)


def test_nobody_uses_anothers_persona(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    persona_id = site.client.post(PERSONAS, json=PIRATE, headers=ADA).get_json()["persona_id"]
    body = {"message": "Hello", "persona_id": persona_id}
    assert site.client.post("/chat", json=body, headers=BOB).status_code == 404
    temporary = {"messages": [{"role": "user", "content": "Hello"}], "persona_id": persona_id}
    assert site.client.post("/chat/temporary", json=temporary, headers=BOB).status_code == 404
    assert site.client.get(PERSONAS, headers=BOB).get_json()["personas"] == []
    assert site.client.delete(f"{PERSONAS}/{persona_id}", headers=BOB).status_code == 404
    assert site.client.post(PERSONAS, json=PIRATE, headers=BOB).status_code == 201  # own names


def test_it_is_exported_and_erased(browser: Browser) -> None:
    persona = write(browser)
    browser.chat("Hello", persona_id=persona["persona_id"])
    exported = json.loads(browser.client.get("/api/v1/export").text)
    [entry] = exported["personas"]
    assert (entry["name"], entry["instructions"]) == tuple(PIRATE.values())
    assert exported["conversations"][0]["persona_id"] == persona["persona_id"]
    user = {"confirm": browser.get("/api/v1/status")["user_id"]}
    assert browser.client.delete("/api/v1/me", json=user).status_code == 200
    assert browser.get(PERSONAS)["personas"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"name": " "}, {"name": "x" * 61}, {"name": "\x00"}, {"instructions": ""},
        {"instructions": "x" * 8_001}, {"name": "\ud800"}, {"mode": "loud"}, {"model": "GPT-9"},
        {"prompt": "x"},
    ],
)  # fmt: skip
def test_what_is_no_persona_is_refused(browser: Browser, fields: dict[str, object]) -> None:
    assert browser.client.post(PERSONAS, json=PIRATE | fields).status_code == 400
    assert browser.get(PERSONAS)["personas"] == []


def test_a_name_is_taken_once(browser: Browser) -> None:
    first = write(browser)
    conflict = browser.client.post(PERSONAS, json=PIRATE)
    assert (conflict.status_code, conflict.get_json()["code"]) == (409, "name_taken")
    second = write(browser, name="Baker")
    renamed = browser.client.patch(f"{PERSONAS}/{second['persona_id']}", json={"name": "Pirate"})
    assert renamed.status_code == 409
    empty = browser.client.patch(f"{PERSONAS}/{first['persona_id']}", json={"name": ""})
    assert empty.status_code == 400
    same = browser.client.patch(f"{PERSONAS}/{first['persona_id']}", json={"name": "Pirate"})
    assert same.status_code == 200
