"""Two sites for the tests of the server: short patience, users by name.

`small_site` has one web process with few threads, `pair` has two processes and quotas.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from shared.settings import read_settings
from tests.e2e.conftest import MakeSite, environment_of
from tests.e2e.server.impatient_worker import IMPATIENT_WORKER
from tests.e2e.site import Site, running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.services import Services

LIVE_ROUNDS = 3
THREADS = read_settings(max_live_rounds=LIVE_ROUNDS).web_threads
REDIS, REDIS_OF_PAIR = 4, 11  # databases of their own: the sites stay for several tests

SETTINGS = {
    "AUTH_MODE": "proxy",
    "TRUSTED_PROXIES": "127.0.0.1",
    "MAX_LIVE_ROUNDS": str(LIVE_ROUNDS),
    "GUNICORN_CMD_ARGS": f"--worker-class {IMPATIENT_WORKER}",
}

ROUNDS, SEARCHES, STORAGE = 6, 5, 4000
LIVE_ROUNDS_OF_PAIR = 30
FOLLOWERS = read_settings(max_live_rounds=LIVE_ROUNDS_OF_PAIR).max_followers_per_user
QUOTAS = {
    "QUOTA_ROUNDS_PER_DAY": str(ROUNDS),
    "QUOTA_SEARCHES_PER_DAY": str(SEARCHES),
    "QUOTA_TOKENS_PER_DAY": "2000",
    "QUOTA_STORAGE_BYTES": str(STORAGE),
    "MAX_LIVE_ROUNDS": str(LIVE_ROUNDS_OF_PAIR),
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
    """`make_site_of_server(REDIS, MAX_LIVE_ROUNDS=…)`: for all tests of the package."""
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
