"""The application in this process, with a scripted model over the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from werkzeug.test import TestResponse

from shared.db import fetch_rows
from shared.models import ConversationId, ReplyAttempt, UserId
from shared.settings import Settings
from tests.conftest import settings_maker
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.services import MakeSettings, Services, as_owner
from web.app import create_app
from web.identity.identification import LOCAL_USER
from web.process.context import WebContext

__all__ = ["openai_server"]

DRAIN_S = 5

#: The Redis database of the sites that a module's tests share. That of the others is emptied.
SHARED_SITES = 4


@dataclass
class Browser:
    """A client and what stands behind it."""

    client: FlaskClient
    context: WebContext
    user_id: UserId = LOCAL_USER

    def chat(self, message: str = "Hello", **fields: object) -> TestResponse:
        return self.client.post("/chat", json={"message": message} | fields)

    def stream(self, message: str = "Hello", **fields: object) -> Iterator[tuple[str, Any]]:
        """Events as they come; closing the iterator is leaving."""
        answer = self.chat(message, stream=True, **fields)
        assert answer.status_code == 200, answer.text
        return read_events(answer)

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        return self.get(f"/api/v1/conversations/{conversation_id}/messages")["messages"]

    def get(self, path: str, **headers: str) -> Any:
        answer = self.client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.get_json()


MakeBrowser = Callable[..., Browser]


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
    id_field = {"id": fields["id"]} if "id" in fields else {}
    return fields["event"], json.loads(fields["data"]) | id_field


def attempt_of(site: Browser, meta: dict[str, Any]) -> ReplyAttempt:
    """The attempt that a stream's first event belongs to."""
    with as_owner(site.context.services) as connection:
        [row] = fetch_rows(
            connection,
            "SELECT fencing_token FROM messages WHERE conversation_id = %(conversation_id)s"
            " AND sequence_number = %(sequence)s",
            conversation_id=meta["conversation_id"],
            sequence=meta["sequence"],
        )
    conversation_id = ConversationId(meta["conversation_id"])
    return ReplyAttempt(conversation_id, meta["sequence"], row["fencing_token"])


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each application of the run would compile them again."""
    cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    Flask.jinja_options = Flask.jinja_options | {"bytecode_cache": cache}


@pytest.fixture
def make_browser(request: pytest.FixtureRequest) -> Iterator[MakeBrowser]:
    """`make_browser(memory_max_turns=4)`; the stand-in model unless told otherwise.

    Tests marked with `shares_sites` share the sites of their module, all others have their own.
    """
    if request.node.get_closest_marker("shares_sites") is not None:
        yield request.getfixturevalue("make_shared_browser")
        return
    with separate_sites(request.getfixturevalue("make_settings")) as make:
        yield make


@pytest.fixture
def make_separate_browser(make_settings: MakeSettings) -> Iterator[MakeBrowser]:
    """Of a site that no other test sees, also where the module's tests share theirs."""
    with separate_sites(make_settings) as make:
        yield make


@contextmanager
def separate_sites(make_settings: MakeSettings) -> Iterator[MakeBrowser]:
    with ExitStack() as stack:
        yield lambda **overrides: stack.enter_context(running_site(make_settings(**overrides)))


@pytest.fixture(scope="module")
def make_shared_browser(
    services: Services, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MakeBrowser]:
    """Sites of equal settings are the same. All have one database; each browser is a new one."""
    folder = tmp_path_factory.mktemp("shared")
    redis_url = services.empty_redis(SHARED_SITES)
    with services.databases.lend() as database_url, ExitStack() as stack:
        make_settings = settings_maker(database_url, redis_url, folder)
        sites: dict[str, Browser] = {}

        def make(**overrides: object) -> Browser:
            key = str(sorted(overrides.items()))
            if key not in sites:
                sites[key] = stack.enter_context(running_site(make_settings(**overrides)))
            site = sites[key]
            return Browser(site.client.application.test_client(), site.context)

        yield make


@pytest.fixture
def make_newcomer(make_shared_browser: MakeBrowser) -> MakeBrowser:
    """A browser of a shared site whose user has nothing yet."""
    settings = {"auth_mode": "proxy", "trusted_proxies": "127.0.0.1", "sharing": True}

    def make(**overrides: object) -> Browser:
        browser = make_shared_browser(**settings | overrides)
        browser.user_id = UserId(f"user-{uuid4().hex}")
        browser.client.environ_base["HTTP_X_FORWARDED_USER"] = browser.user_id
        return browser

    return make


@contextmanager
def running_site(settings: Settings) -> Iterator[Browser]:
    app = create_app(settings)
    context: WebContext = app.extensions["throughline"]
    try:
        yield Browser(app.test_client(), context)
    finally:
        context.leaving.set()
        context.runner.drain(DRAIN_S)
        context.services.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Browser:
    """Of a shared site and of a user with nothing yet, where tests are marked with `newcomers`."""
    is_newcomers = request.node.get_closest_marker("newcomers") is not None
    make: MakeBrowser = request.getfixturevalue("make_newcomer" if is_newcomers else "make_browser")
    return make()


@pytest.fixture
def talk(browser: Browser) -> Conversing:
    """A conversation of the browser's user, with given replies."""
    return Conversing(browser.context.services, user_id=browser.user_id)


@pytest.fixture
def wired(make_browser: MakeBrowser, openai_server: FakeOpenAI) -> Browser:
    """A browser whose model is the scripted server."""
    return make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="sk-test-key",
        llm_timeout_s=5,
        llm_tries=1,
    )
