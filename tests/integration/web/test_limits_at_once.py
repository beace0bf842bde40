"""Limits of how many there may be, when many requests come at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import shared.access.shares
import shared.access.tokens
import shared.attachments.storing
import shared.rounds.branching
import web.process.concurrency_limits
import web.views.site_models
from shared.db import fetch_rows
from shared.events.subscriptions import MAX_WEBHOOKS_PER_USER
from shared.models.library import PERSONAS, PROMPTS
from tests.integration.web.conftest import Browser
from tests.services import as_owner

AT_ONCE = 60
MOST = 4
FORMER = {  # that are there before
    "webhooks": MAX_WEBHOOKS_PER_USER - MOST,
    "personas": PERSONAS.most - MOST,
    "prompts": PROMPTS.most - MOST,
}
# Some wait in vain for one of the pool's few connections, or for a slot.
ANSWERS = {200, 201, 409, 429, 503}

CONSTANTS = (
    (shared.access.shares, "MAX_SHARES"),
    (shared.access.tokens, "MAX_TOKENS"),
    (shared.attachments.storing, "MAX_UNSENT"),
    (shared.rounds.branching, "MAX_BRANCHES"),
    (web.views.site_models, "MAX_MODELS"),
)

Ask = Callable[[Browser, str, int], Any]


def post(path: str, **form: object) -> Ask:
    """`{n}` in a text is the request's number."""

    def ask(browser: Browser, chat: str, number: int) -> Any:
        fields = {
            name: value.replace("{n}", str(number)) if isinstance(value, str) else value
            for name, value in form.items()
        }
        return browser.client.post(path.format(chat=chat), json=fields)

    return ask


def upload(browser: Browser, _chat: str, number: int) -> Any:
    return browser.client.post(
        f"/api/v1/attachments?name={number}.txt",
        data=f"File {number}",
        content_type="application/octet-stream",
    )


KINDS: dict[str, tuple[Ask, str]] = {
    "models": (
        post(
            "/api/v1/operations/models",
            name="Model {n}", address="http://127.0.0.1:9/v1", served_name="small",
        ),
        "SELECT count(*) FROM site_models",
    ),
    "tokens": (
        post("/api/v1/tokens", name="Token {n}", scopes=["chat"]),
        "SELECT count(*) FROM api_tokens",
    ),
    "webhooks": (
        post("/api/v1/webhooks", url="https://hooks.example.org/{n}"),
        "SELECT count(*) FROM webhooks",
    ),
    "personas": (
        post("/api/v1/personas", name="Persona {n}", instructions="Be brief."),
        "SELECT count(*) FROM personas",
    ),
    "prompts": (
        post("/api/v1/prompts", name="Prompt {n}", text="Sum up."),
        "SELECT count(*) FROM prompts",
    ),
    "shares": (post("/api/v1/conversations/{chat}/shares"), "SELECT count(*) FROM shares"),
    "files": (upload, "SELECT count(*) FROM attachments"),
    "branches": (
        post("/chat/{chat}/0/branch", message="Another {n}"),
        "SELECT count(*) FROM conversations",
    ),
}  # fmt: skip


@pytest.fixture
def site(make_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Whose limits are few, but for the work at once."""
    for module, name in CONSTANTS:
        monkeypatch.setattr(module, name, MOST)
    for name in ("UPLOADS", "UPLOADS_PER_USER"):
        monkeypatch.setattr(web.process.concurrency_limits, name, AT_ONCE)
    return make_browser(max_live_rounds=400)


@pytest.mark.parametrize("kind", KINDS)
def test_no_more_than_the_limit_is_made(site: Browser, kind: str) -> None:
    ask, count = KINDS[kind]
    chat = site.chat("Hello").get_json()["conversation_id"]
    for number in range(FORMER.get(kind, 0)):
        assert ask(site, chat, AT_ONCE + 1 + number).status_code == 201

    def ask_alone(number: int) -> int:
        client = site.client.application.test_client()
        return int(ask(Browser(client, site.context), chat, number).status_code)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        statuses = list(threads.map(ask_alone, range(AT_ONCE)))
    assert set(statuses) <= ANSWERS
    assert {200, 201} & set(statuses)
    assert ask_alone(AT_ONCE) == (429 if kind == "files" else 409)
    with as_owner(site.context.services) as connection:
        [row] = fetch_rows(connection, count)
    assert row["count"] == MOST + FORMER.get(kind, 0)
