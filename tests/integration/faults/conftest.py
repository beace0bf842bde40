"""The product's own parts with a scripted model, and the same behind HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from shared.services import Services
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, make_browser, make_separate_browser
from tests.services import MakeSettings

__all__ = ["make_browser", "make_separate_browser", "openai_server"]

MANY_CALLS = 8  # jobs of these tests do not wait for each other at the model


@pytest.fixture
def model_settings(openai_server: FakeOpenAI) -> dict[str, object]:
    return {
        "llm_model": "fake-model",
        "llm_api_base": openai_server.base_url,
        "llm_api_key": "sk-test-key",
        "llm_timeout_s": 5,
        "llm_tries": 1,
    }


@pytest.fixture
def product(make_settings: MakeSettings, model_settings: dict[str, object]) -> Iterator[Services]:
    """Episodes come early: each seventh message closes the six before it."""
    services = Services(
        make_settings(memory_window_limit=6, memory_max_calls=MANY_CALLS, **model_settings)
    )
    yield services
    services.close()


@pytest.fixture
def conversing(product: Services) -> Conversing:
    return Conversing(product)


@pytest.fixture
def wired(make_browser: Callable[..., Browser], model_settings: dict[str, object]) -> Browser:
    return make_browser(**model_settings)
