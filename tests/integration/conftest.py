"""Fixtures of the product's parts, on a database of the test's own and the run's Valkey."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.maintenance.backup import sealing
from shared.services import Services
from shared.settings import Settings
from tests.integration.conversing import Conversing
from tests.integration.wire import SentQueries, watched_postgres
from tests.services import MakeSettings, private_folder


@pytest.fixture
def product(settings: Settings) -> Iterator[Services]:
    services = Services(settings)
    yield services
    services.close()


@pytest.fixture
def quick_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups are sealed with the product's function at a small part of its cost."""
    monkeypatch.setattr(sealing, "COST", 2**10)


@pytest.fixture
def conversing(product: Services) -> Conversing:
    """Plays rounds with given replies."""
    return Conversing(product)


@pytest.fixture
def watched(make_settings: MakeSettings) -> Iterator[SentQueries]:
    """What is sent to the test's database by whoever uses the address in it."""
    url = make_settings().database_url
    with private_folder() as folder, watched_postgres(url, folder) as queries:
        yield queries
