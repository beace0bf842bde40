from __future__ import annotations

import pytest

from shared.llm import count_tokens, warm_up
from shared.prompts import load_prompt
from shared.settings import read_settings


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4", "offline/extractive", "nobody/knows-it"])
def test_tokens_are_counted_without_the_network(model: str) -> None:
    count = count_tokens(model)

    assert count("") == 0
    assert count("Hello world") == 2
    assert 150 <= count("A sentence of nine short English words, more or less. " * 15) <= 250


def test_what_looks_like_a_special_token_is_only_text() -> None:
    assert count_tokens("offline/extractive")("<|endoftext|>") > 1


def test_the_facts_prompt_is_short() -> None:
    assert count_tokens("gpt-4")(load_prompt("facts").text) < 700


def test_warming_up_needs_no_server() -> None:
    warm_up(read_settings(llm_model="gpt-4o"))


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4"])
@pytest.mark.parametrize("sign", [" ", "\t", "\n", "a", "^", "😀"])
def test_a_million_times_the_same_sign_is_counted(model: str, sign: str) -> None:
    assert count_tokens(model)(sign * 1_000_000) > 1_000
