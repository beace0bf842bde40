"""Fixtures for every test. Nothing of the caller's environment reaches a test."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer

from shared.settings import Settings, current_settings, read_settings
from supervisor.environment import process_environment
from tests.budgets import choose_profile
from tests.exports import share_exports
from tests.scheduling import Scheduling
from tests.services import MakeSettings, Services, as_application, running_services

# PYTHONDONTWRITEBYTECODE would have each process of a site compile all modules again.
_FOREIGN = (
    "PYTHONDONTWRITEBYTECODE", "PG", "REDIS", "CELERY_", "FLOWER_", "OPENAI_", "ANTHROPIC_",
    "LITELLM_", "GUNICORN_",
)  # fmt: skip
_FOREIGN_ENDINGS = ("_API_KEY", "_API_KEY_FILE", "_API_BASE", "_BASE_URL")


def _is_foreign(name: str) -> bool:
    return (
        name.lower().removesuffix("_file") in Settings.model_fields
        or name.startswith(_FOREIGN)
        or name.endswith(_FOREIGN_ENDINGS)
    )


def pytest_configure() -> None:
    choose_profile()
    variables = {name: value for name, value in os.environ.items() if not _is_foreign(name)}
    os.environ.clear()
    os.environ.update(process_environment(variables, {}, may_download=False))
    # As in any other thread: else litellm makes an event loop in this one, and leaves it open.
    asyncio.set_event_loop(None)


def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: a third of a run is waiting for processes of a site."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is loaded here is garbage: the collector would look at it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(50_000, 10, 1_000_000)  # the oldest are looked at after each file


@pytest.fixture(scope="module", autouse=True)
def _clean_memory() -> Iterator[None]:
    """What a file has left behind is removed, and what is left after that lives on."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _fresh_current_settings() -> Iterator[None]:
    """A command that a test runs in this process may name its site in the environment."""
    before = dict(os.environ)
    yield
    if changed := {name for name, _ in before.items() ^ os.environ.items() if _is_foreign(name)}:
        for name in changed - before.keys():
            del os.environ[name]
        os.environ.update({name: before[name] for name in changed & before.keys()})
    current_settings.cache_clear()


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    with running_services() as running:
        yield running


@pytest.fixture
def database_url(services: Services, request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated and empty database. Other tests get it next, unless it is marked as changed."""
    is_changed = request.node.get_closest_marker("changes_schema") is not None
    databases = services.databases
    with databases.copy() if is_changed else databases.lend() as url:
        yield url


@pytest.fixture
def empty_database_url(services: Services) -> Iterator[str]:
    """A database of this test's own, without any table."""
    with services.databases.copy("template0") as url:
        yield url


@pytest.fixture
def redis_url(services: Services) -> str:
    """The run's Valkey, emptied."""
    return services.empty_redis()


@pytest.fixture
def make_settings(database_url: str, redis_url: str, tmp_path: Path) -> MakeSettings:
    """Settings for this test's services; arguments override."""
    return settings_maker(database_url, redis_url, tmp_path)


def settings_maker(database_url: str, redis_url: str, folder: Path) -> MakeSettings:
    """`folder` is one of pytest's."""
    share_exports(folder)
    services = {
        "database_url": as_application(database_url),
        "redis_url": redis_url,
        "data_dir": folder,
        "local_token": "off",
        # scripted models are believed; the examination has tests of its own
        "memory_trust": "always",
    }

    def make(**overrides: object) -> Settings:
        return read_settings(**(services | overrides))

    return make


@pytest.fixture
def settings(make_settings: MakeSettings) -> Settings:
    return make_settings()
