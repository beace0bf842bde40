"""A site with a model of the environment, and one that an operator has set up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.integration.web.conftest import Browser

MODELS = "/api/v1/operations/models"

KEY = "sk-of-the-second-server"


@pytest.fixture
def second() -> Iterator[FakeOpenAI]:
    """Beside `openai_server`, which is the environment's."""
    with running_openai_server() as fake:
        fake.key, fake.served = KEY, ("small", "large")
        yield fake


@pytest.fixture
def site(wired: Browser, second: FakeOpenAI) -> Browser:
    """With a model of the environment, and one that an operator has set up."""
    set_up(wired, second)
    return wired


def set_up(browser: Browser, server: FakeOpenAI, **fields: object) -> dict[str, Any]:
    form = {
        "name": "At home",
        "address": server.base_url,
        "served_name": "small",
        "api_key": KEY,
    }
    answer = browser.client.post(MODELS, json=form | fields)
    assert answer.status_code == 201, answer.text
    model: dict[str, Any] = answer.get_json()
    return model


def change(browser: Browser, model: dict[str, Any], **fields: object) -> Any:
    return browser.client.patch(f"{MODELS}/{model['model_id']}", json=fields)


def offered(browser: Browser) -> list[str]:
    return [model["name"] for model in browser.get("/api/v1/models")["models"]]
