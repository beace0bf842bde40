"""Fixtures of the fakes. A conftest imports them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.openai_server import FakeOpenAI, running_openai_server


@pytest.fixture
def openai_server() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        yield fake
