"""A client of OpenAI's protocol that keeps its own history, and what the database has of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.db import fetch_rows
from tests.integration.web.conftest import Browser
from tests.services import as_owner

Message = dict[str, Any]


@dataclass
class Client:
    """Sends its whole history with each message, as chat clients do."""

    browser: Browser
    model: str
    history: list[Message] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    #: Of the last answer.
    conversation_id: str = ""

    def post(self, messages: list[Message], **fields: Any) -> TestResponse:
        headers = self.headers | fields.pop("headers", {})
        body = {"model": self.model, "messages": messages} | fields
        return self.browser.client.post("/v1/chat/completions", json=body, headers=headers)

    def say(self, text: str, **fields: Any) -> str:
        """Say something new. Returns the reply."""
        self.history.append({"role": "user", "content": text})
        return self.send(**fields)

    def send(self, **fields: Any) -> str:
        """Send the history as it stands, and keep the reply."""
        answer = self.post(self.history, **fields)
        assert answer.status_code == 200, answer.text
        self.conversation_id = answer.headers.get("X-Conversation-Id", "")
        message = answer.get_json()["choices"][0]["message"]
        self.history.append({"role": "assistant", "content": message["content"]})
        return str(message["content"])


def list_stored(browser: Browser) -> list[tuple[str, str]]:
    """(role, text) of every stored message of the user, in order."""
    with as_owner(browser.context.services) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT m.role, m.content FROM messages m JOIN conversations c USING (conversation_id)
            WHERE c.user_id = %(user)s
            ORDER BY c.created_at, c.conversation_id, m.sequence_number
            """,
            user=browser.user_id,
        )
    return [(row["role"], row["content"]) for row in rows]


def list_said(browser: Browser) -> list[str]:
    """The users' stored words, in order."""
    return [text for role, text in list_stored(browser) if role == "user"]


@pytest.fixture
def make_client(browser: Browser) -> Callable[[], Client]:
    return lambda: Client(browser, "offline/extractive")


@pytest.fixture
def client(browser: Browser) -> Client:
    return Client(browser, "offline/extractive")


@pytest.fixture
def wired_client(wired: Browser) -> Client:
    return Client(wired, "fake-model")
