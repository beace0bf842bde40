"""What the operator calls a secret becomes a fact by no door, in whatever form it is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shared.models import UserId
from shared.store.facts.suggestions import suggest
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.two_users import doubtful
from tests.services import as_owner

FORMS = ("TICKET-4821", "ＴＩＣＫＥＴ-４８２１", "ticket–4821", "TIC\u00adKET-48\u200b21")


@pytest.fixture
def site(make_browser: MakeBrowser) -> Browser:
    return make_browser(memory_instructions="Secrets: TICKET-####")


def send(site: Browser, method: str, path: str, body: object) -> int:
    return site.client.open(f"/api/v1/facts{path}", method=method, json=body).status_code


def call(site: Browser, tool: str, **arguments: object) -> bool:
    """Whether a tool of MCP refuses."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    params = {"name": tool, "arguments": arguments}
    answer = site.client.post("/mcp", json=request | {"params": params}).get_json()
    return bool(answer["result"]["isError"])


def list_values(site: Browser) -> list[str]:
    return [fact["value"] for fact in site.get("/api/v1/facts?include=history")["facts"]]


@pytest.mark.parametrize("form", FORMS)
def test_no_door_takes_one(site: Browser, form: str) -> None:
    fact: dict[str, Any] = {"category": "identity", "key": "subject", "value": f"on {form}"}
    good = site.client.post("/api/v1/facts", json=fact | {"value": "boats"}).get_json()
    place = f"/{good['fact_id']}"
    refused = {
        "value": send(site, "POST", "", fact),
        "key": send(site, "POST", "", fact | {"key": form, "value": "boats"}),
        "sentence": send(site, "POST", "/sentences", {"text": f"I work on {form}."}),
        "list": send(site, "POST", "/lists", {"facts": [fact]}),
        "edit": send(site, "PATCH", place, {"value": form}),
        "edited sentence": send(site, "PATCH", place, {"text": f"I work on {form}."}),
        "moved": send(site, "PATCH", place, {"key": form}),
    }
    assert refused == dict.fromkeys(refused, 400)
    assert call(site, "remember", facts=[fact])
    assert call(site, "correct", uri=f"throughline://facts/{good['fact_id']}", value=form)
    listed = site.client.post("/api/v1/facts/lists/preview", json={"text": f"- I work on {form}"})
    assert [entry["state"] for entry in listed.get_json()["entries"]] == ["secret"]
    assert list_values(site) == ["boats"]


@pytest.mark.parametrize("form", FORMS)
def test_no_import_and_no_suggestion_brings_one(site: Browser, form: str) -> None:
    chat = site.chat("Hello").get_json()["conversation_id"]
    exported = site.client.get("/api/v1/export").get_json()
    now = "2026-01-01T00:00:00Z"
    version = {
        "category": "identity", "key": "subject", "value": form, "confidence": 1, "importance": 1,
        "valid_from": now, "id": 1,
    }  # fmt: skip
    harmless = version | {"key": "pet", "value": "a dog called Rex", "id": 2}
    answer = site.client.post("/api/v1/imports", json=exported | {"facts": [version, harmless]})
    assert answer.status_code == 200, answer.text
    assert "hold a secret" in answer.get_json()["errors"][0]["message"]
    with as_owner(site.context.services) as connection:
        suggest(connection, UserId("local"), replace(doubtful(chat), value=form))
    [open_one] = site.get("/api/v1/facts/suggestions")["suggestions"]
    assert send(site, "POST", f"/suggestions/{open_one['suggestion_id']}/confirm", {}) == 400
    assert list_values(site) == ["a dog called Rex"]
