"""Files to import, and what the routes answer, for the tests of import, export and deletion."""

from __future__ import annotations

import json
from typing import Any

from tests.integration.web.conftest import Browser

PROXY = {"auth_mode": "proxy", "trusted_proxies": ("127.0.0.1/32",)}
JSON = {"Content-Type": "application/json"}


def utterance(role: str, content: str, minute: int = 0, **more: object) -> dict[str, Any]:
    at = f"2024-03-05T10:{minute:02}:00+00:00"
    return {"role": role, "content": content, "created_at": at} | more


def dialogue(rounds: int = 2, **fields: object) -> dict[str, Any]:
    """A conversation of our own form."""
    messages = [
        utterance(role, f"{role} says {place}", minute=2 * place + (role == "assistant"))
        for place in range(rounds)
        for role in ("user", "assistant")
    ]
    return {"id": "d-1", "title": "A dialogue", "messages": messages} | fields


def send(browser: Browser, document: object, query: str = "", **headers: str) -> Any:
    """The answer's body, of an import that goes well."""
    body = document if isinstance(document, (bytes, str)) else json.dumps(document)
    answer = browser.client.post(f"/api/v1/imports{query}", data=body, headers=JSON | headers)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def conversations_of(browser: Browser, **headers: str) -> list[dict[str, Any]]:
    return browser.get("/api/v1/conversations?limit=100", **headers)["conversations"]


def whole_text_of(browser: Browser, **headers: str) -> str:
    answer = browser.client.get("/api/v1/export", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def export_of(browser: Browser) -> dict[str, object]:
    """All but its time, and the audit log, which also notes exports."""
    exported: dict[str, object] = browser.get("/api/v1/export")
    return {k: v for k, v in exported.items() if k not in {"exported_at", "audit_events"}}


def forget_everything(browser: Browser) -> None:
    assert browser.client.delete("/api/v1/me", json={"confirm": "local"}).status_code == 200


def export(browser: Browser, **headers: str) -> dict[str, Any]:
    document: dict[str, Any] = browser.get("/api/v1/export", **headers)
    return document


def by_title(browser: Browser, **headers: str) -> dict[str, dict[str, Any]]:
    return {
        conversation["title"]: conversation for conversation in conversations_of(browser, **headers)
    }


def rename(browser: Browser, conversation_id: str, title: str, **fields: object) -> None:
    answer = browser.client.patch(
        f"/api/v1/conversations/{conversation_id}", json={"title": title} | fields
    )
    assert answer.status_code == 200, answer.text


def read_file(browser: Browser, file: dict[str, Any]) -> bytes:
    return browser.client.get(f"/api/v1/attachments/{file['attachment_id']}").data


CHATGPT = {
    "conversation_id": "c-9",
    "title": "Trip",
    "create_time": 1709632800.5,
    "current_node": "n3",
    "mapping": {
        "root": {"id": "root", "parent": None, "children": ["n1"], "message": None},
        "n1": {
            "parent": "root",
            "children": ["n2", "n3"],
            "message": {
                "author": {"role": "user"},
                "create_time": 1709632801.25,
                "content": {"content_type": "text", "parts": ["Where to?"]},
            },
        },
        "n2": {
            "parent": "n1",
            "children": [],
            "message": {
                "author": {"role": "assistant"},
                "content": {"content_type": "text", "parts": ["Oslo."]},
            },
        },
        "n3": {
            "parent": "n1",
            "children": [],
            "message": {
                "author": {"role": "assistant"},
                "create_time": 1709632805,
                "content": {"content_type": "text", "parts": ["Lisbon."]},
                "metadata": {"model_slug": "gpt-4"},
            },
        },
    },
}
