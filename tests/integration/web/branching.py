"""Branches of a chat, begun and looked at by the API."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from shared.db import fetch_rows
from shared.maintenance.verify import find_breaches
from tests.embedding import embed_pending
from tests.integration.web.conftest import Browser
from tests.integration.worker import work_off
from tests.services import as_owner


def branch(
    browser: Browser, conversation_id: str, sequence: int, text: str, **headers: str
) -> TestResponse:
    path = f"/chat/{conversation_id}/{sequence}/branch"
    return browser.client.post(path, json={"message": text}, headers=headers)


def branched(browser: Browser, conversation_id: str, sequence: int, text: str) -> str:
    answer = branch(browser, conversation_id, sequence, text)
    assert answer.status_code == 200, answer.text
    return str(answer.get_json()["conversation_id"])


def texts(browser: Browser, conversation_id: str) -> list[str]:
    return [m["content"] for m in browser.messages(conversation_id) if m["role"] == "user"]


def forks(browser: Browser, conversation_id: str) -> list[tuple[int, list[str], int]]:
    rows = browser.get(f"/api/v1/conversations/{conversation_id}/messages")["forks"]
    return [(fork["sequence"], fork["branches"], fork["current"]) for fork in rows]


def settle(browser: Browser) -> None:
    """All jobs are done, all messages embedded, and nothing is broken."""
    product = browser.context.services
    browser.context.runner.drain(5)
    work_off(product)
    embed_pending(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def listed(browser: Browser, query: str = "") -> list[str]:
    rows = browser.get(f"/api/v1/conversations{query}")["conversations"]
    return [row["conversation_id"] for row in rows]


def hits(browser: Browser, query: str, within: str | None = None) -> list[tuple[str, int]]:
    """The messages with the words."""
    only = f"&conversation_id={within}" if within else ""
    messages = browser.get(f"/api/v1/search?q={query}&role=user{only}")["messages"]
    return [
        (hit["conversation_id"], hit["sequence_number"])
        for hit in messages
        if hit["match"] == "exact"
    ]


def trace_of(browser: Browser, conversation_id: str, sequence: int) -> dict[str, Any]:
    path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/trace"
    trace: dict[str, Any] = browser.get(path)["trace"]
    return trace


def quoted(browser: Browser, conversation_id: str, sequence: int) -> list[tuple[str, int]]:
    messages = trace_of(browser, conversation_id, sequence)["messages"]
    return [(message["conversation_id"], message["sequence"]) for message in messages]


def given_facts(browser: Browser, conversation_id: str, sequence: int) -> set[str]:
    return {fact["value"] for fact in trace_of(browser, conversation_id, sequence)["facts"]}


def count(browser: Browser, sql: str, **args: object) -> int:
    with as_owner(browser.context.services) as connection:
        [row] = fetch_rows(connection, sql, **args)
    return int(row["count"])
