"""The application in this process, with a scripted model over the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared.models import ConversationId, ReplyAttempt, UserId
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.services import MakeSettings
from web.app import create_app
from web.context import WebContext

__all__ = ["openai_server"]

DRAIN_S = 5


@dataclass
class Browser:
    """A client and what stands behind it."""

    client: FlaskClient
    context: WebContext

    def chat(self, message: str = "Hello", **fields: object) -> TestResponse:
        return self.client.post("/chat", json={"message": message} | fields)

    def stream(self, message: str = "Hello", **fields: object) -> Iterator[tuple[str, Any]]:
        """Events as they come; closing the iterator is leaving."""
        answer = self.chat(message, stream=True, **fields)
        assert answer.status_code == 200, answer.text
        return read_events(answer)

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        return self.get(f"/api/conversations/{conversation_id}/messages")["messages"]

    def get(self, path: str, **headers: str) -> Any:
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.get_json()


def read_events(answer: TestResponse) -> Iterator[tuple[str, Any]]:
    """(name, data), with the event's id in the data as `id`."""
    waiting = ""
    try:
        for chunk in answer.response:
            waiting += chunk.decode() if isinstance(chunk, bytes) else chunk
            *blocks, waiting = waiting.split("\n\n")
            yield from (parse_event(block) for block in blocks if not block.startswith(":"))
    finally:
        answer.close()


def parse_event(block: str) -> tuple[str, Any]:
    fields = dict(line.split(": ", 1) for line in block.splitlines())
    own = {"id": fields["id"]} if "id" in fields else {}
    return fields["event"], json.loads(fields["data"]) | own


def attempt_of(meta: dict[str, Any]) -> ReplyAttempt:
    """The attempt that a stream's first event belongs to."""
    token, _ = meta["id"].split("-")
    return ReplyAttempt(ConversationId(meta["conversation_id"]), meta["sequence"], int(token))


@pytest.fixture
def make_browser(make_settings: MakeSettings) -> Iterator[Callable[..., Browser]]:
    """`make_browser(memory_max_turns=4)`; the stand-in model unless told otherwise."""
    made: list[WebContext] = []

    def make(**overrides: object) -> Browser:
        app = create_app(make_settings(**overrides))
        made.append(app.extensions["throughline"])
        return Browser(app.test_client(), made[-1])

    yield make
    for context in made:
        context.leaving.set()
        context.runner.drain(DRAIN_S)
        context.services.close()


@pytest.fixture
def browser(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser()


@pytest.fixture
def talk(browser: Browser) -> Conversing:
    """A conversation of the browser's user, with given replies."""
    return Conversing(browser.context.services, user_id=UserId("local"))


@pytest.fixture
def wired(make_browser: Callable[..., Browser], openai_server: FakeOpenAI) -> Browser:
    """A browser whose model is the scripted server."""
    return make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="sk-test-key",
        llm_timeout_s=5,
        llm_tries=1,
    )
