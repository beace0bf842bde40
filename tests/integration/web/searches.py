"""What is searched, and what a search gives back."""

from __future__ import annotations

from typing import Any

from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import utterance


def conversation(*texts: str, **fields: object) -> dict[str, Any]:
    """User and assistant by turns, a minute apart."""
    roles = ("user", "assistant")
    messages = [utterance(roles[n % 2], text, minute=n) for n, text in enumerate(texts)]
    return {"title": "Talk", "messages": messages} | fields


def search_messages(browser: Browser, query: str, **headers: str) -> Any:
    answer = browser.client.get("/api/v1/search", query_string={"q": query}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def texts_of(result: Any) -> list[str]:
    return ["".join(text for text, _ in message["snippet"]) for message in result["messages"]]


def hits_of(result: Any) -> list[list[str]]:
    return [
        [text for text, is_hit in message["snippet"] if is_hit] for message in result["messages"]
    ]
