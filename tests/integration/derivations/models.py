"""Models that do memory's work in tests, what they propose, and what they used."""

from __future__ import annotations

import json

from shared.db import fetch_row
from shared.models.site_models import ModelConfig, Trust
from shared.store import site_models
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.services import as_owner

HOME = {"category": "identity", "key": "home_city", "value": "Rome", "seq": 0}
SURE = {"confidence": 1.0, "importance": 0.8, "whose": "user", "how": "stated", "when": "now"}


def set_up(conversing: Conversing, server: FakeOpenAI, trust: Trust | None) -> None:
    """Let a model of the page do memory's work."""
    config = ModelConfig(
        name="At home",
        protocol="openai",
        address=server.base_url,
        served_name="small",
        is_offered=True,
        is_chat_default=False,
        is_memory_default=True,
        context_tokens=None,
        max_tokens=None,
        trust=trust,
    )
    with as_owner(conversing.services) as connection:
        site_models.add_model(connection, config, None)
    conversing.services.models.refresh()


def answer(*facts: dict[str, object]) -> Scripted:
    text = json.dumps({"facts": [SURE | {"seq": 0} | fact for fact in facts]})
    return Scripted(text=text, tokens_in=100, tokens_out=20)


def tokens(conversing: Conversing) -> tuple[int, int, int]:
    with as_owner(conversing.services) as connection:
        row = fetch_row(connection, "SELECT * FROM token_usage WHERE purpose = 'facts'")
    assert row is not None
    return row["tokens_in"], row["tokens_out"], row["calls"]
