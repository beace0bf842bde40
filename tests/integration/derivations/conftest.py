"""The product with a scripted model over the wire."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.services import Services
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.services import MakeSettings

__all__ = ["openai_server"]


@pytest.fixture
def wired_product(make_settings: MakeSettings, openai_server: FakeOpenAI) -> Iterator[Services]:
    services = Services(
        make_settings(
            llm_model="chat-model",
            memory_model="memory-model",
            llm_api_base=openai_server.base_url,
            llm_api_key="k",
            llm_timeout_s=5,
            llm_tries=1,
            memory_instructions="Note the projects. Secrets: TICKET-####, Nightingale",
        )
    )
    yield services
    services.close()


@pytest.fixture
def wired(wired_product: Services) -> Conversing:
    return Conversing(wired_product)
