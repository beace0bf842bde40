"""One site for all tests of the server: few threads, short patience, users by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FAKE_MODEL, FakeOpenAI, running_openai_server
from tests.services import Services

THREADS = 40
CONNECTIONS = 400
PATIENCE_S = 2
REDIS = 4  # a database of its own: the site stays for several tests

SETTINGS = {
    "AUTH_MODE": "proxy",
    "TRUSTED_PROXIES": "127.0.0.1",
    "WEB_THREADS": str(THREADS),
    "MAX_LIVE_ROUNDS": "3",
    "MAX_CONNECTIONS": str(CONNECTIONS),
    "HEADER_TIMEOUT_S": str(PATIENCE_S),
    "BODY_TIMEOUT_S": str(PATIENCE_S),
    "WRITE_TIMEOUT_S": str(PATIENCE_S),
}


@pytest.fixture(scope="package")
def model() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        yield fake


@pytest.fixture(scope="package")
def small_site(
    services: Services, model: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    own = SETTINGS | {
        "LLM_MODEL": FAKE_MODEL,
        "LLM_API_BASE": model.base_url,
        "LLM_API_KEY": "sk-test-key",
    }
    with services.databases.lend() as url:
        environment = environment_of(services, url, REDIS) | own
        with running_site(environment, tmp_path_factory.mktemp("small"), "web") as site:
            yield site
