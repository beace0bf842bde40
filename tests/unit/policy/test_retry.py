"""When to try a job again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.policy.retry import LONGEST_WAIT_S, backoff_s

JITTER = st.floats(0, 1)


@given(st.integers(1, 50), JITTER)
def test_waits_are_positive_and_bounded(attempts: int, jitter: float) -> None:
    assert 0 < backoff_s(attempts, jitter) <= LONGEST_WAIT_S


@given(st.integers(1, 20), JITTER)
def test_waits_never_shrink_with_more_attempts(attempts: int, jitter: float) -> None:
    assert backoff_s(attempts + 1, jitter) >= backoff_s(attempts, jitter)


def test_what_the_provider_asks_for_is_honoured_within_bounds() -> None:
    assert backoff_s(1, 1.0, retry_after_s=30) == 30
    assert backoff_s(1, 1.0, retry_after_s=86_400) == LONGEST_WAIT_S
