"""What servers refuse is left out, over both clients, and is asked for no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from shared import errors as ours
from shared.llm import ChatMessage, ModelRequest, ask_json, complete
from shared.llm.adjusted_call import MOST_CALLS
from shared.llm.schemas import EpisodeAnswer
from shared.llm.targets import place_of
from shared.models.request_limits import RequestLimits
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.fakes.profiles import PROFILES
from tests.integration.llm.conftest import MakeRequest

GOOD = '{"summary": "A trip.", "key_concepts": ["trip", "Oslo", "ferry"]}'
INSTRUCTED = (
    ChatMessage(role="system", content="Task: episode"),
    ChatMessage(role="user", content="Hello"),
)
MakeSettings = Callable[..., Settings]


def learned(settings: Settings) -> RequestLimits:
    return settings.learned_limits.at(place_of("fake-model", settings))


def memory_request(ask: MakeRequest, **fields: object) -> ModelRequest:
    return ask(messages=INSTRUCTED, purpose="episode", max_tokens=600, temperature=0.0, **fields)


def script_refusals(server: FakeOpenAI, *words: str, status: int = 400) -> None:
    server.script(*[Scripted(status=status, error=text) for text in words], Scripted(text=GOOD))


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_memory_works_at_every_server_and_is_refused_only_at_first(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest, name: str
) -> None:
    openai_server.profile = PROFILES[name]
    openai_server.by_task["episode"] = Scripted(text=GOOD)
    settings = wired()
    ask_json(memory_request(ask), EpisodeAnswer, settings)
    first_count = len(openai_server.requests)
    ask_json(memory_request(ask), EpisodeAnswer, settings)
    assert first_count < MOST_CALLS
    assert len(openai_server.requests) == first_count + 1


def test_a_renamed_limit_is_sent_under_its_other_name(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    script_refusals(openai_server, "Use 'max_completion_tokens' instead of 'max_tokens'.")
    complete(memory_request(ask), wired())
    body = openai_server.requests[-1].body
    assert (body.get("max_tokens"), body["max_completion_tokens"]) == (None, 600)


@pytest.mark.parametrize("status", [400, 404, 405, 422, 500, 501])
def test_fields_may_be_refused_one_after_the_other_with_any_status(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest, status: int
) -> None:
    script_refusals(openai_server, "unknown: temperature", "unknown: stream_options", status=status)
    settings = wired()
    complete(memory_request(ask), settings)
    assert learned(settings).refused == {"temperature", "stream_options"}


def test_a_server_that_does_not_stream_is_asked_for_whole_answers(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest, api_client: str
) -> None:
    script_refusals(openai_server, "Streaming is not supported by this model")
    settings = wired(llm_api_client=api_client)
    assert complete(memory_request(ask), settings).text == GOOD
    openai_server.script(Scripted(text="Half of it", finish_reason="length"))
    assert complete(memory_request(ask), settings).finish_reason == "length"
    assert learned(settings).refused == {"stream"}
    bodies = [request.body for request in openai_server.requests]
    assert ["stream" in body for body in bodies] == [True, False, False]
    assert "stream_options" not in bodies[-1]


def test_a_cause_that_is_not_named_is_searched_for_and_learned_alone(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    script_refusals(openai_server, *["Extra inputs are not permitted"] * 3)
    settings = wired()
    ask_json(memory_request(ask), EpisodeAnswer, settings)
    assert learned(settings).refused == {"temperature"}


def test_a_bound_of_the_answer_is_kept(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    script_refusals(openai_server, "Range of max_tokens should be [1, 512]")
    settings = wired()
    complete(memory_request(ask), settings)
    assert openai_server.requests[-1].body["max_tokens"] == 512
    assert learned(settings) == RequestLimits(answer_tokens=512)


def test_without_a_system_role_its_text_begins_the_users_message(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    script_refusals(openai_server, "System role not supported")
    complete(memory_request(ask), wired())
    [message] = openai_server.requests[-1].body["messages"]
    assert message == {"role": "user", "content": "Task: episode\n\nHello"}


def test_a_server_that_refuses_everything_is_asked_a_few_times_and_heard(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    openai_server.by_task["episode"] = Scripted(status=400, error="Bad request")
    settings = wired()
    with pytest.raises(ours.RequestNotAcceptedError) as caught:
        ask_json(memory_request(ask), EpisodeAnswer, settings)
    assert caught.value.provider_said == "Bad request"
    assert len(openai_server.requests) <= MOST_CALLS
    assert learned(settings) == RequestLimits()


def test_hostile_words_remove_nothing_that_is_needed(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    words = "model, messages are unknown. " * 3000
    openai_server.by_task["episode"] = Scripted(status=400, error=words)
    with pytest.raises(ours.RequestNotAcceptedError):
        complete(memory_request(ask), wired())
    assert all({"model", "messages"} <= request.body.keys() for request in openai_server.requests)
    assert len(openai_server.requests) <= MOST_CALLS


def client_request(ask: MakeRequest, *roles: str, **options: Any) -> ModelRequest:
    raw = tuple({"role": role, "content": f"{role} {at}"} for at, role in enumerate(roles))
    return ask(messages=(), raw_messages=raw, options=options)


def test_what_a_client_can_do_without_is_left_out(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    words = ["unknown: seed", "temperature and top_p cannot both be set"]
    script_refusals(openai_server, *words)
    complete(client_request(ask, "user", seed=1, temperature=0.5, top_p=0.9), wired())
    body = openai_server.requests[-1].body
    assert "seed" not in body
    assert ("temperature" in body) is not ("top_p" in body)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools are not supported"),
        ({"response_format": {"type": "json_object"}}, "response_format is not supported"),
        ({"temperature": 5}, "temperature must be between 0 and 2"),
    ],
)
def test_what_changes_a_clients_meaning_fails_in_the_servers_words(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest, options: Any, words: str
) -> None:
    openai_server.script(Scripted(status=400, error=words))
    with pytest.raises(ours.RequestNotAcceptedError) as caught:
        complete(client_request(ask, "user", **options), wired())
    assert caught.value.provider_said == words
    assert len(openai_server.requests) == 1


def test_a_clients_turns_are_joined_only_where_a_server_asks_for_it(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    settings = wired()
    complete(client_request(ask, "user", "user"), settings)
    assert len(openai_server.requests[-1].body["messages"]) == 2
    openai_server.profile = PROFILES["llama_cpp"]
    complete(client_request(ask, "user", "user"), settings)
    first_count = len(openai_server.requests)
    complete(client_request(ask, "user", "user"), settings)
    assert openai_server.requests[-1].body["messages"] == [
        {"role": "user", "content": "user 0\n\nuser 1"}
    ]
    assert len(openai_server.requests) == first_count + 1


def test_an_answer_is_shortened_where_the_prompt_alone_would_fit(
    openai_server: FakeOpenAI, wired: MakeSettings, ask: MakeRequest
) -> None:
    words = "This model's maximum context length is 1000 tokens, you requested 4020 (20 + 4000)."
    script_refusals(openai_server, words)
    settings = wired()
    complete(ask(max_tokens=4000), settings)
    assert 500 < openai_server.requests[-1].body["max_tokens"] < 1000
    assert json.dumps(learned(settings).context_tokens) == "1000"
