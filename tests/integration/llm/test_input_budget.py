"""How many tokens a request of memory may read."""

from __future__ import annotations

from typing import Any

import pytest

from shared.llm import input_budget
from shared.llm.input_budget import LEAST_BUDGET, MAX_CONTEXT, UNKNOWN_CONTEXT
from shared.settings import STAND_IN_MODEL, read_settings
from tests.integration.llm.conftest import MakeRequest

SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("model", "overrides", "least", "most"),
    [
        ("gpt-4o-mini", {}, MAX_CONTEXT / 2, MAX_CONTEXT),
        ("gpt-4o-mini", {"memory_ctx_tokens": 8000}, 4000, 8000),
        ("gpt-3.5-turbo", {"memory_ctx_tokens": 90_000}, 8000, 16_385),
        ("gpt-4o-mini", {"llm_api_base": SERVER}, 1000, UNKNOWN_CONTEXT),
        ("nobody-knows-it", {"llm_api_base": SERVER}, 1000, UNKNOWN_CONTEXT),
        ("nobody-knows-it", {"llm_api_base": SERVER, "memory_ctx_tokens": 8192}, 5000, 8192),
        ("gpt-4o-mini", {"llm_fallbacks": ("gpt-3.5-turbo",)}, 8000, 16_385),
    ],
)
def test_a_call_reads_what_the_smallest_of_its_models_takes(
    ask: MakeRequest, model: str, overrides: Any, least: Any, most: Any
) -> None:
    room = input_budget(ask(model=model, max_tokens=800), read_settings(**overrides))

    assert room is not None
    assert least <= room <= most - 800


def test_the_stand_in_reads_any_length(ask: MakeRequest) -> None:
    assert input_budget(ask(model=STAND_IN_MODEL), read_settings()) is None


def test_what_the_prompt_holds_already_is_taken_off(ask: MakeRequest) -> None:
    settings = read_settings(llm_api_base=SERVER, memory_ctx_tokens=4096)
    short = input_budget(ask("Hi", model="m"), settings)
    long = input_budget(ask("word " * 1000, model="m"), settings)

    assert short is not None
    assert long is not None
    assert short - 1100 < long < short - 800
    assert input_budget(ask("word " * 9000, model="m"), settings) == LEAST_BUDGET
