from __future__ import annotations

import pytest

from shared.llm.model_features import find_features
from shared.models.site_models import ModelConfig, SiteModel
from tests.fakes.openai_server import FakeOpenAI, Scripted


def model_of(served_name: str, address: str | None) -> SiteModel:
    config = ModelConfig(
        name=served_name,
        protocol="openai" if address else "litellm",
        address=address,
        served_name=served_name,
        is_offered=True,
        is_chat_default=False,
        is_memory_default=False,
        context_tokens=None,
        max_tokens=None,
    )
    return SiteModel(config=config)


@pytest.mark.parametrize("refused", [set(), {"json_schema"}])
def test_what_a_server_takes_is_tried(openai_server: FakeOpenAI, refused: set[str]) -> None:
    openai_server.refused_formats = refused
    features = find_features(model_of("small", openai_server.base_url))
    expected = {"streams", "tools", "json", "pictures"} - ({"json"} if refused else set())
    assert set(features.names) == expected
    assert features.context_tokens is None
    assert any("tools" in request.body for request in openai_server.requests)


def test_a_server_that_refuses_all_takes_nothing(openai_server: FakeOpenAI) -> None:
    openai_server.script(*[Scripted(status=400)] * 4)
    assert find_features(model_of("small", openai_server.base_url)).names == ()


def test_of_a_hosted_model_the_list_is_believed() -> None:
    features = find_features(model_of("anthropic/claude-sonnet-4-5", None))
    assert set(features.names) >= {"streams", "tools", "pictures"}
    assert (features.context_tokens or 0) >= 200_000
