"""An abandoned call hangs up at once: the server sees it, and no thread is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import ModelTimeoutError
from shared.llm import complete, open_stream
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest
from tests.waiting import wait_for

MANY = 30
SHORT_S = 1.5  # but long enough for the request to reach the server
LONG_S = 300  # longer than these tests run
SILENCES = [
    pytest.param(Scripted(delay_s=LONG_S), id="before the head"),
    pytest.param(Scripted(silent_s=LONG_S), id="before the first piece"),
    pytest.param(Scripted(text="one two", piece_delay_s=LONG_S), id="between pieces"),
]
# For each of them litellm uses another client.
PROVIDERS = {
    "anthropic/claude-3-haiku-20240307": ("ANTHROPIC_API_BASE", "ANTHROPIC_API_KEY"),
    "ollama_chat/any": ("OLLAMA_API_BASE", "OLLAMA_API_KEY"),
    "hosted_vllm/any": ("HOSTED_VLLM_API_BASE", "HOSTED_VLLM_API_KEY"),
}


def count_calls() -> int:
    return sum(thread.name == "model-call" for thread in threading.enumerate())


@pytest.fixture
def nothing_left(openai_server: FakeOpenAI) -> Callable[[int], None]:
    """Wait until the server has seen `times` hang-ups and all threads of calls have ended."""
    wait_for(lambda: count_calls() == 0)  # threads of earlier tests

    def check(times: int) -> None:
        wait_for(lambda: len(openai_server.hang_ups) == times)
        wait_for(lambda: count_calls() == 0)

    return check


@pytest.mark.parametrize("silence", SILENCES)
def test_silent_streams_that_are_stopped_leave_nothing(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    nothing_left: Callable[[int], None],
    silence: Any,
) -> None:
    openai_server.script(*[silence] * MANY)
    streams = [open_stream(ask(), wired(llm_timeout_s=LONG_S)) for _ in range(MANY)]
    for stream in streams:
        next(stream)
    wait_for(lambda: len(openai_server.requests) == MANY)
    assert count_calls() == MANY

    for stream in streams:
        stream.close()

    nothing_left(MANY)


@pytest.mark.parametrize("silence", SILENCES)
def test_a_silence_that_is_too_long_hangs_up(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    nothing_left: Callable[[int], None],
    silence: Any,
) -> None:
    openai_server.script(silence)

    with pytest.raises(ModelTimeoutError):
        complete(ask(), wired(llm_timeout_s=SHORT_S))

    nothing_left(1)


def test_a_deadline_hangs_up(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    nothing_left: Callable[[int], None],
) -> None:
    openai_server.script(Scripted(text="word " * 100, piece_delay_s=0.2))

    with pytest.raises(ModelTimeoutError):
        complete(ask(deadline_s=SHORT_S), wired(llm_timeout_s=SHORT_S))

    nothing_left(1)


@pytest.fixture(params=PROVIDERS)
def model(
    request: pytest.FixtureRequest, openai_server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A model of a provider whose address is that of the local server."""
    base, key = PROVIDERS[request.param]
    monkeypatch.setenv(base, openai_server.base_url.removesuffix("/v1"))
    monkeypatch.setenv(key, "any")
    return request.param


def test_other_providers_are_hung_up_on_as_well(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    nothing_left: Callable[[int], None],
    model: str,
) -> None:
    openai_server.script(Scripted(delay_s=LONG_S))
    stream = open_stream(ask(model=model), wired(llm_api_base="", llm_timeout_s=LONG_S))
    next(stream)
    wait_for(lambda: openai_server.requests)

    stream.close()

    nothing_left(1)


def test_a_call_after_one_that_was_hung_up_is_none_the_worse(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(delay_s=LONG_S), Scripted(text="Here."))
    stream = open_stream(ask(), wired())
    next(stream)
    stream.close()

    assert complete(ask(), wired()).text == "Here."
