from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from shared.errors import ModelRefusedError, ModelTimeoutError, ModelUnavailableError
from shared.llm import complete, input_limit, provider_of
from shared.settings import Settings, read_settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest


def test_the_answer_comes_with_its_tokens_and_its_provider(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="It is blue.", tokens_in=5, tokens_out=4))

    answer = complete(ask("What colour?"), wired())

    assert (answer.text, answer.model, answer.provider) == ("It is blue.", "fake-model", "openai")
    assert (answer.tokens_in, answer.tokens_out, answer.finish_reason) == (5, 4, "stop")


def test_what_was_asked_arrives_as_it_was_asked(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    complete(ask("What colour?", max_tokens=33, temperature=0.3), wired())

    (request,) = openai_server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-test-key"
    assert request.body["messages"] == [{"role": "user", "content": "What colour?"}]
    assert request.body["max_tokens"] == 33
    assert request.body["temperature"] == 0.3
    assert request.body["stream"] is True
    assert "response_format" not in request.body


def test_the_servers_own_model_names_are_left_as_they_are(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    complete(ask(model="meta-llama/Llama-3"), wired())
    complete(ask(model="openai/mistral/large"), wired())

    assert openai_server.models == ["meta-llama/Llama-3", "mistral/large"]


def test_a_server_without_keys_is_given_a_word_in_place_of_one(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    complete(ask(), wired(llm_api_key=""))

    assert openai_server.requests[0].headers["authorization"] == "Bearer none"


def test_the_usual_variable_gives_the_key_where_no_other_is_set(
    openai_server: FakeOpenAI, ask: MakeRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")

    complete(ask(), read_settings(llm_api_base=openai_server.base_url))

    assert openai_server.requests[0].headers["authorization"] == "Bearer sk-usual"


def test_an_empty_answer_is_an_error(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="  "))

    with pytest.raises(ModelUnavailableError, match="empty"):
        complete(ask(), wired())


def test_a_silent_server_is_given_up_in_time(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(delay_s=2))

    with pytest.raises(ModelTimeoutError):
        complete(ask(), wired(llm_timeout_s=0.4))


def test_a_long_answer_is_not_taken_for_a_silent_one(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="word " * 20, piece_delay_s=0.2))

    answer = complete(ask(), wired(llm_timeout_s=3))

    assert answer.text == "word " * 20


def test_an_answer_that_broke_off_is_tried_again(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="one two", reset_after=1), Scripted(text="one two"))

    assert complete(ask(), wired(llm_tries=2)).text == "one two"


def test_a_missing_key_is_named(ask: MakeRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelRefusedError, match="OPENAI_API_KEY"):
        complete(ask(model="gpt-4o-mini"), read_settings(llm_tries=1))


@pytest.mark.parametrize(
    ("model", "provider", "limit"),
    [
        ("offline/extractive", "offline", None),
        ("gpt-4o", "openai", 128_000),
        ("openai/gpt-4o", "openai", 128_000),
        ("nobody/knows-it", "openai", None),
    ],
)
def test_providers_and_limits_are_known_without_the_network(
    model: str, provider: str, limit: int | None
) -> None:
    assert (provider_of(model, read_settings()), input_limit(model)) == (provider, limit)


class Named(pydantic.BaseModel):
    name: str


@pytest.mark.parametrize("form", [None, Named])
def test_an_ollama_server_is_asked_for_the_answer_and_for_nothing_else(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    monkeypatch: pytest.MonkeyPatch,
    form: Any,
) -> None:
    monkeypatch.setenv("OLLAMA_API_BASE", openai_server.base_url.removesuffix("/v1"))
    openai_server.by_task["reply"] = Scripted(status=500)

    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            complete(ask(model="ollama_chat/qwen9:1b", form=form), wired(llm_api_base=""))

    assert [request.path for request in openai_server.requests] == ["/api/chat"] * 2
