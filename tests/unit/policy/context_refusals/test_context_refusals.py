"""How long a request may be, in the words of servers that refused a longer one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from shared.models.request_limits import RequestLimits
from shared.policy.context_refusals import learn_context
from shared.policy.provider_messages import means_too_long

NOTHING = RequestLimits()
CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["words"][:40] for case in CASES])
def test_the_limit_is_read_in_any_wording(case: Any) -> None:
    limits = learn_context(NOTHING, case["words"], prompt_tokens=4000, answer_tokens=1000)
    assert means_too_long(case["words"])
    assert (limits.context_tokens, limits.prompt_tokens) == (case.get("limit"), case["fits"])


def test_a_limit_only_gets_lower() -> None:
    first = learn_context(NOTHING, "too long", prompt_tokens=4000, answer_tokens=0)
    words = "maximum context length is 100000 tokens"
    second = learn_context(first, words, prompt_tokens=200_000, answer_tokens=0)
    assert second.prompt_tokens == first.prompt_tokens == 2000


@pytest.mark.parametrize("words", ["too long", "the maximum context is 1 token, since 2026-11-28"])
def test_a_refused_greeting_sets_no_limit(words: str) -> None:
    assert learn_context(NOTHING, words, prompt_tokens=12, answer_tokens=0) == NOTHING
