"""Fixtures of the product's parts, on a database of the test's own and the run's Valkey."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.services import Services
from shared.settings import Settings
from tests.integration.conversing import Conversing


@pytest.fixture
def product(settings: Settings) -> Iterator[Services]:
    made = Services(settings)
    yield made
    made.close()


@pytest.fixture
def conversing(product: Services) -> Conversing:
    """Plays rounds with given replies."""
    return Conversing(product)
