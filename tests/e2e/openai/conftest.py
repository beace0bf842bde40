"""One site for all clients of `/v1`: it asks for tokens, and has two models.

`offline/extractive` is the stand-in, which learns facts; `fake-model` says what a test scripts.
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import openai
import pytest

from tests.e2e.conftest import environment_of
from tests.e2e.openai.talks import MODEL, Account
from tests.e2e.site import running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.services import Services
from tests.waiting import PATIENCE_S

OWN_REDIS = 12  # a database of its own: the site stays for several tests


@pytest.fixture(scope="package")
def model_server() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        yield fake


@pytest.fixture(autouse=True)
def _own_script(model_server: FakeOpenAI) -> Iterator[None]:
    yield
    model_server.forget_script()


@pytest.fixture(scope="package")
def account(
    services: Services, model_server: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Account]:
    models = {
        "LLM_MODEL": MODEL,
        "LLM_FALLBACKS": FAKE_MODEL,
        "LLM_API_BASE": model_server.base_url,
        "LLM_API_KEY": "sk-test-key",
        "LOCAL_TOKEN": "",  # the default: the site makes one
    }
    folder = tmp_path_factory.mktemp("openai")
    with services.databases.lend() as url:
        environment = environment_of(services, url, OWN_REDIS) | models
        with running_site(environment, folder, "web", "worker-llm") as site:
            local_token = (folder / "local-token").read_text().strip()
            yield Account(site, make_key(site.url, local_token), local_token)


def make_key(url: str, local_token: str) -> str:
    """An API token for chats alone, made as a user makes one for a program."""
    form = {"name": "a program", "scopes": ["chat"]}
    headers = {"Authorization": f"Bearer {local_token}"}
    answer = httpx.post(f"{url}/api/v1/tokens", json=form, headers=headers, timeout=PATIENCE_S)
    return str(answer.raise_for_status().json()["token"])


@pytest.fixture
def sdk(account: Account) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=account.base_url, api_key=account.key, max_retries=0) as client:
        yield client
