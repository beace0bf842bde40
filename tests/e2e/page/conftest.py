"""Fixtures that open the page in a real browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.conftest import environment_of
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import PATIENCE_MS, Scheme, Tabs, Window
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.services import Services
from tests.waiting import PATIENCE_S

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")

WITH_EPISODES = ("web", "worker-llm", "worker-embed", "beat")

expect.set_options(timeout=PATIENCE_MS)

__all__ = ["PATIENCE_MS", "Scheme"]

OpenPage = Callable[..., ChatPage]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    missing = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}")
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(missing)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after the last test of the page: no event loop can run beside Playwright's."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Iterator[Tabs]:
    tabs = Tabs(browser)
    yield tabs
    tabs.close()


@pytest.fixture
def open_page(tabs: Tabs) -> Iterator[OpenPage]:
    """`open_page(url, width=…)`: a page in a profile of its own, watched until the test ends.

    `is_new=True` for a profile that has never seen the page, and may have a service worker.
    """
    chats: list[ChatPage] = []

    def open_(url: str, *, path: str = "/", is_new: bool = False, **window: Any) -> ChatPage:
        chat = tabs.lend(url, Window(**window), is_new=is_new)
        chats.append(chat)
        chat.open(path)
        return chat

    yield open_
    problems = [problem for chat in chats for problem in chat.problems]
    for chat in chats:
        tabs.take_back(chat)
    assert problems == []


@pytest.fixture(scope="package")
def model_server() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        yield fake


@pytest.fixture(autouse=True)
def _own_script(model_server: FakeOpenAI) -> Iterator[None]:
    yield
    model_server.forget_script()


@pytest.fixture(scope="package")
def scripted_site(
    services: Services, model_server: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site whose replies are scripted. It has no workers: jobs wait, and nobody minds."""
    folder = tmp_path_factory.mktemp("scripted")
    model = {
        "LLM_MODEL": "fake-model",
        "LLM_API_BASE": model_server.base_url,
        "LLM_TRIES": "1",
        "MEMORY_MODEL": "offline/extractive",
    }
    with services.databases.lend() as url:
        environment = environment_of(services, url, 2) | model
        with running_site(environment, folder, "web") as running:
            running.chat("Warm up.")  # the first round also waits for litellm and the embedder
            yield running


@pytest.fixture(scope="package")
def _remembering_site(
    services: Services, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("remembering")
    settings = {"EPISODE_TRIGGER_TURNS": "4", "LOG_LEVEL": "DEBUG"}
    with services.databases.lend() as url:
        environment = environment_of(services, url, 1) | settings
        with running_site(environment, folder, *WITH_EPISODES) as running:
            yield running


@pytest.fixture
def memory_site(_remembering_site: Site) -> Site:
    """A site with all workers and the stand-in model, where an episode is closed after four
    messages. It knows nobody yet, and logs all that it can."""
    user = {"confirm": _remembering_site.get("/api/v1/status")["user_id"]}
    url = f"{_remembering_site.url}/api/v1/me"
    httpx.request("DELETE", url, json=user, timeout=PATIENCE_S).raise_for_status()
    return _remembering_site


@pytest.fixture
def chat(open_page: OpenPage, scripted_site: Site) -> ChatPage:
    return open_page(scripted_site.url)
