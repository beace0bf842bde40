"""Which errors are the input's fault."""

from __future__ import annotations

import pytest

from shared import errors
from shared.derivations.fallback import is_hopeless

MOST = 5
AT_ONCE = [errors.InputRefusedError(), errors.InputTooLongError(), errors.ModelOutputError()]
NEVER = [
    errors.ModelUnavailableError(),
    errors.ModelTimeoutError(),
    errors.RateLimitedError(),
    errors.DatabaseUnavailableError(),
    errors.ModelRefusedError("the key"),
]
IN_THE_END = [errors.RequestNotAcceptedError(), ValueError("a fault of ours")]


@pytest.mark.parametrize("error", AT_ONCE)
def test_what_is_refused_or_unusable_is_hopeless_at_once(error: Exception) -> None:
    assert is_hopeless(error, attempts=1, failures=0, most=MOST)


@pytest.mark.parametrize("error", NEVER)
def test_a_server_that_is_away_or_badly_set_is_never_the_inputs_fault(error: Exception) -> None:
    assert not is_hopeless(error, attempts=99, failures=99, most=MOST)


@pytest.mark.parametrize("error", IN_THE_END)
def test_any_other_lasting_fault_is_believed_after_as_many_jobs(error: Exception) -> None:
    assert not is_hopeless(error, attempts=1, failures=MOST - 2, most=MOST)
    assert is_hopeless(error, attempts=1, failures=MOST - 1, most=MOST)


def test_an_empty_answer_is_believed_at_the_last_attempt() -> None:
    assert not is_hopeless(errors.EmptyAnswerError(), attempts=MOST - 1, failures=9, most=MOST)
    assert is_hopeless(errors.EmptyAnswerError(), attempts=MOST, failures=0, most=MOST)
