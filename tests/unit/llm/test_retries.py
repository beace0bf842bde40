from __future__ import annotations

from typing import Any

import pytest

from shared.errors import (
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
)
from shared.llm.retries import pause_before_retry
from shared.settings import read_settings

SETTINGS = read_settings(llm_tries=3)


@pytest.mark.parametrize(("tried", "pause_s"), [(1, 0.5), (2, 1.0), (3, None)])
def test_pauses_double_and_tries_end(tried: int, pause_s: float | None) -> None:
    assert pause_before_retry(ModelUnavailableError(), tried, SETTINGS, 0.0) == pause_s


def test_jitter_only_lengthens() -> None:
    assert pause_before_retry(ModelUnavailableError(), 1, SETTINGS, 1.0) == 1.0


@pytest.mark.parametrize(
    ("retry_after_s", "pause_s"), [(0, 0), (3, 3), (5, 5), (5.1, None), (600, None)]
)
def test_what_the_provider_asks_for_is_given_or_it_is_left(
    retry_after_s: float, pause_s: int | None
) -> None:
    error = RateLimitedError(retry_after_s=retry_after_s)

    assert pause_before_retry(error, 1, SETTINGS, 0.5) == pause_s


@pytest.mark.parametrize("error", [ModelRefusedError(), ModelTimeoutError()])
def test_a_refusal_and_a_long_silence_are_not_retried(error: Any) -> None:
    assert pause_before_retry(error, 1, SETTINGS, 0.0) is None
