"""Two sites for the tests of the server: short patience, users by name.

`small_site` has one web process with few threads, `pair` has two processes and quotas.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.e2e.conftest import MakeSite, environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.services import Services

THREADS = 40
CONNECTIONS = 400
PATIENCE_S = 2
REDIS, REDIS_OF_PAIR = 4, 11  # databases of their own: the sites stay for several tests

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

ROUNDS, SEARCHES, FOLLOWERS, STORAGE = 6, 5, 25, 4000
QUOTAS = {
    "QUOTA_ROUNDS_PER_DAY": str(ROUNDS),
    "QUOTA_SEARCHES_PER_DAY": str(SEARCHES),
    "QUOTA_TOKENS_PER_DAY": "2000",
    "QUOTA_STORAGE_BYTES": str(STORAGE),
    "MAX_FOLLOWERS_PER_USER": str(FOLLOWERS),
    "WEB_THREADS": "80",
    "MAX_LIVE_ROUNDS": "30",
    "MAX_LIVE_ROUNDS_PER_USER": "30",
    "WEB_CONCURRENCY": "2",
}


@pytest.fixture(scope="package")
def model() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        yield fake


@pytest.fixture(autouse=True)
def _own_script(model: FakeOpenAI) -> Iterator[None]:
    yield
    model.forget_script()


@pytest.fixture(scope="package")
def make_site_of_server(
    services: Services, model: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MakeSite]:
    """`make_site_of_server(REDIS, WEB_THREADS=…)`: for all tests of the package."""
    with ExitStack() as stack:

        def make(redis: int, **settings: str) -> Site:
            url = stack.enter_context(services.databases.lend())
            environment = environment_of(services, url, redis) | SETTINGS | wire(model) | settings
            folder = tmp_path_factory.mktemp("site")
            return stack.enter_context(running_site(environment, folder, "web"))

        yield make


@pytest.fixture(scope="package")
def small_site(make_site_of_server: MakeSite) -> Site:
    return make_site_of_server(REDIS)


@pytest.fixture(scope="package")
def pair(make_site_of_server: MakeSite) -> Site:
    return make_site_of_server(REDIS_OF_PAIR, **QUOTAS)


def wire(model: FakeOpenAI) -> dict[str, str]:
    return {
        "LLM_MODEL": FAKE_MODEL,
        "LLM_API_BASE": model.base_url,
        "LLM_API_KEY": "sk-test-key",
    }
