from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from shared.errors import ModelRefusedError, ModelUnavailableError, RateLimitedError
from shared.llm import complete, open_stream
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest


def test_a_passing_fault_is_tried_again(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=500), Scripted(text="At last."))

    assert complete(ask(), wired(llm_tries=2)).text == "At last."


def test_tries_are_bounded(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(*[Scripted(status=500)] * 5)

    with pytest.raises(ModelUnavailableError):
        complete(ask(), wired(llm_tries=2))
    assert len(openai_server.requests) == 2


def test_retry_after_is_waited_for(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=429, retry_after="1"), Scripted(text="At last."))
    began = time.monotonic()

    assert complete(ask(), wired(llm_tries=2)).text == "At last."
    assert 1 <= time.monotonic() - began < 30


def test_a_long_retry_after_is_told_and_not_waited_for(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=429, retry_after="120"))
    began = time.monotonic()

    with pytest.raises(RateLimitedError) as caught:
        complete(ask(), wired(llm_tries=3))
    assert caught.value.retry_after_s == 120
    assert time.monotonic() - began < 60
    assert len(openai_server.requests) == 1


def test_what_will_not_pass_is_not_tried_again(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=401))

    with pytest.raises(ModelRefusedError):
        complete(ask(), wired(llm_tries=3))
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_the_fallbacks_answer_in_order(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest, status: int
) -> None:
    openai_server.script(Scripted(status=status), Scripted(status=404), Scripted(text="Me."))

    answer = complete(ask(), wired(llm_fallbacks="openai/second,third"))

    assert (answer.text, answer.model) == ("Me.", "third")
    assert openai_server.models == ["fake-model", "second", "third"]


def test_an_error_that_may_pass_is_told_before_one_that_will_not(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=401), Scripted(status=503))

    with pytest.raises(ModelUnavailableError):
        complete(ask(), wired(llm_fallbacks="second"))


def test_a_silent_model_gives_way_to_the_fallback(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(delay_s=4), Scripted(text="I am here."))

    stream = open_stream(ask(), wired(llm_timeout_s=1.5, llm_fallbacks="second"))

    assert "".join(piece or "" for piece in stream) == "I am here."
    assert stream.completion.model == "second"


def test_the_stand_in_can_be_the_last_resort(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=500))

    answer = complete(ask("Hello!"), wired(llm_fallbacks="offline/extractive"))

    assert (answer.provider, answer.model) == ("offline", "offline/extractive")
    assert "built-in helper" in answer.text
