"""Fixtures of the fakes. A conftest imports them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.llm import pace_of
from tests.fakes.openai_server import FakeOpenAI, running_openai_server


@pytest.fixture
def openai_server() -> Iterator[FakeOpenAI]:
    """Of a server that is known to be quick: memory need not feel its way."""
    with running_openai_server() as fake:
        pace = pace_of(fake.base_url)
        pace.read_bytes_per_s, pace.latency_s = 1e6, 0.0
        pace.note_written(pieces=10**6, seconds=1)
        yield fake
