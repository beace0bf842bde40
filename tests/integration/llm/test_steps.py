"""A slow server reads a long prompt step by step, and keeps what it has read."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from shared.errors import MemoryYieldsError
from shared.llm import ChatMessage, ModelRequest, complete, interruptible, pace_of
from shared.llm.pace import LEAST_STEP_BYTES, READ_S
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.fakes.prompt_cache import PromptCache
from tests.services import MakeSettings
from tests.waiting import PATIENCE_S, wait_for

READ_PER_S = 200.0  # tokens of four characters
INSTRUCTIONS = " ".join(f"rule {number}" for number in range(250))
SLOWEST_STEP_S = 2 * READ_S


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    """One of which nothing is known yet."""
    with running_openai_server() as fake:
        fake.cache = PromptCache(8)
        fake.by_task["reply"] = Scripted(text="one two three four five", read_per_s=READ_PER_S)
        yield fake


@pytest.fixture
def settings(server: FakeOpenAI, make_settings: MakeSettings) -> Settings:
    return make_settings(llm_model="slow", llm_api_base=server.base_url)


def request_of(text: str) -> ModelRequest:
    messages = (
        ChatMessage(role="system", content=INSTRUCTIONS),
        ChatMessage(role="user", content=text),
    )
    return ModelRequest(model="slow", messages=messages, purpose="facts")


def sizes(server: FakeOpenAI) -> list[int]:
    return [
        sum(len(message["content"]) for message in request.body["messages"])
        for request in server.requests
    ]


def ask(text: str, settings: Settings) -> str:
    with interruptible(lambda: None, in_steps=True):
        return complete(request_of(text), settings).text


def test_no_step_takes_long_and_the_whole_prompt_is_answered_at_last(
    server: FakeOpenAI, settings: Settings
) -> None:
    assert ask("I live in Oslo.", settings) == "one two three four five"
    lengths = sizes(server)
    assert lengths[0] == LEAST_STEP_BYTES
    assert lengths == sorted(lengths)
    steps = [after - before for before, after in zip([0, *lengths], lengths, strict=False)]
    assert max(steps) / 4 / READ_PER_S < SLOWEST_STEP_S
    assert [body["max_tokens"] for body in bodies(server)[:-1]] == [1] * (len(lengths) - 1)


def bodies(server: FakeOpenAI) -> list[dict[str, object]]:
    return [request.body for request in server.requests]


def test_what_the_server_knows_is_not_read_in_steps_again(
    server: FakeOpenAI, settings: Settings
) -> None:
    ask("I live in Oslo.", settings)
    server.requests.clear()
    ask("I have a dog.", settings)
    assert len(server.requests) == 2


def test_an_interrupted_call_leaves_the_server_soon(server: FakeOpenAI, settings: Settings) -> None:
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise MemoryYieldsError

    def work() -> None:
        with pytest.raises(MemoryYieldsError), interruptible(check, in_steps=True):
            complete(request_of("I live in Oslo."), settings)

    server.slots = threading.Semaphore(1)
    worker = threading.Thread(target=work)
    worker.start()
    wait_for(lambda: len(server.requests) == 2)
    stop.set()
    began = time.monotonic()
    reply = ModelRequest(
        model="slow", messages=(ChatMessage(role="user", content="Hello"),), purpose="reply"
    )
    complete(reply, settings)
    assert time.monotonic() - began < SLOWEST_STEP_S
    worker.join(PATIENCE_S)
    assert pace_of(server.base_url).step_bytes > LEAST_STEP_BYTES


def test_a_quick_server_is_asked_at_once(server: FakeOpenAI, settings: Settings) -> None:
    pace_of(server.base_url).read_bytes_per_s = 1e6
    ask("I live in Oslo.", settings)
    assert len(server.requests) == 1
