"""What a provider reads from its cache: marks in the request, numbers in the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from prometheus_client import REGISTRY

from shared.errors import ThroughlineError
from shared.llm import ChatMessage, complete
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest

CLAUDE = "anthropic/claude-3-haiku-20240307"
MARK = {"type": "ephemeral"}
TALK = (
    ChatMessage(role="system", content="Be kind."),
    ChatMessage(role="user", content="Hello"),
    ChatMessage(role="assistant", content="Good day."),
    ChatMessage(role="user", content="And now?"),
)


def test_an_answer_tells_what_came_from_the_cache(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    labels = {"model": "fake-model", "purpose": "reply", "direction": "cached"}
    before = REGISTRY.get_sample_value("throughline_model_tokens_total", labels) or 0
    openai_server.script(Scripted(tokens_in=500, tokens_cached=400))
    assert complete(ask(), wired()).tokens_cached == 400
    counted = REGISTRY.get_sample_value("throughline_model_tokens_total", labels)
    assert counted == before + 400


@pytest.mark.parametrize(("tokens_cached", "read"), [("many", 0), (-5, 0), (None, 0), (900, 500)])
def test_it_is_a_part_of_the_prompt_or_nothing(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    tokens_cached: Any,
    read: int,
) -> None:
    openai_server.script(Scripted(tokens_in=500, tokens_cached=tokens_cached))
    assert complete(ask(), wired(llm_api_client="httpx")).tokens_cached == read


def test_anthropic_gets_marks_where_the_next_prompt_differs(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_BASE", openai_server.base_url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
    with suppress(ThroughlineError):  # the server answers in OpenAI's form
        complete(ask(model=CLAUDE, messages=TALK), wired(llm_api_base=""))
    body = openai_server.requests[0].body
    assert [part["cache_control"] for part in body["system"]] == [MARK]
    statement, reply, question = body["messages"]
    assert "cache_control" not in str(statement) + str(question)
    assert reply["content"][-1]["cache_control"] == MARK


def test_a_server_of_openais_protocol_gets_none(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    complete(ask(messages=TALK), wired())
    assert openai_server.requests[-1].body["messages"] == [message.as_openai() for message in TALK]
