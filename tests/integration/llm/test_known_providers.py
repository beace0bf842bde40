"""Servers of models on this machine, at other ports than their usual ones."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from shared.llm.known_providers import PROVIDERS, SEARCH_S, Provider, find_running
from tests.fakes.openai_server import FakeOpenAI, running_openai_server

NO_PORT = 0


@pytest.fixture
def ollama() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        fake.served = ("qwen3:8b", "llama3.1:8b", "nomic-embed-text", "bge-m3", "x" * 300, "a\nb")
        yield fake


def test_what_runs_is_found_with_its_models_that_chat(ollama: FakeOpenAI) -> None:
    providers = (
        Provider(name="Ollama", address=ollama.base_url),
        Provider(name="Nobody", address="http://127.0.0.1:9/v1"),
        Provider(name="Elsewhere", address="https://192.0.2.1/v1"),
    )
    assert find_running(providers, NO_PORT) == {"Ollama": ("llama3.1:8b", "qwen3:8b")}


def test_the_site_does_not_ask_itself(ollama: FakeOpenAI) -> None:
    own_port = urlsplit(ollama.base_url).port or 0
    assert find_running((Provider(name="vLLM", address=ollama.base_url),), own_port) == {}
    assert find_running((), own_port) == {}


def test_a_silent_server_costs_a_second() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        began = time.monotonic()
        silent = Provider(name="Silent", address=f"http://127.0.0.1:{port}/v1")
        assert find_running((silent,), NO_PORT) == {}
        assert time.monotonic() - began < SEARCH_S + 2


def test_every_provider_has_a_way() -> None:
    for provider in PROVIDERS:
        assert bool(provider.address) != bool(provider.prefix)
        assert provider.is_local != bool(provider.key_page)
