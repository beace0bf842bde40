"""Both clients of models, httpx and litellm, against a local HTTP server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.llm import ChatMessage, ModelRequest, warm_up
from shared.settings import Settings, read_settings
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI

__all__ = ["openai_server"]


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Make the first call, which takes longer than the timeouts of these tests."""
    for client in CLIENTS:
        warm_up(read_settings(llm_model="any", llm_api_base="http://no", llm_api_client=client))


CLIENTS = ("httpx", "litellm")

MakeRequest = Callable[..., ModelRequest]


@pytest.fixture(params=CLIENTS)
def api_client(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def wired(openai_server: FakeOpenAI, api_client: str) -> Callable[..., Settings]:
    """Settings for the local server, with short timeouts."""

    def make(**overrides: object) -> Settings:
        defaults = {
            "llm_model": "fake-model",
            "llm_api_base": openai_server.base_url,
            "llm_api_key": "sk-test-key",
            "llm_api_client": api_client,
            "llm_timeout_s": 5,
            "llm_tries": 1,
        }
        return read_settings(**(defaults | overrides))

    return make


@pytest.fixture
def ask() -> MakeRequest:
    def make(text: str = "Hello", **fields: object) -> ModelRequest:
        messages = (ChatMessage(role="user", content=text),)
        defaults: dict[str, object] = {
            "model": "fake-model",
            "messages": messages,
            "purpose": "reply",
        }
        return ModelRequest(**(defaults | fields))  # type: ignore[arg-type]

    return make
