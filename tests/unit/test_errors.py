"""The error tree, as clients see it."""

from __future__ import annotations

import inspect

import pytest

from shared import errors
from shared.errors import (
    PermanentError,
    RequestError,
    ThroughlineError,
    TransientError,
)

OURS = [
    error
    for _, error in inspect.getmembers(errors, inspect.isclass)
    if issubclass(error, ThroughlineError)
]


@pytest.mark.parametrize("error", OURS)
def test_each_error_has_a_sentence_a_code_and_a_status(error: type[ThroughlineError]) -> None:
    assert error.__doc__
    assert error.code
    assert 400 <= error.http_status < 600


@pytest.mark.parametrize("error", [error for error in OURS if error is not ThroughlineError])
def test_each_error_stands_in_one_branch(error: type[ThroughlineError]) -> None:
    branches = [b for b in (TransientError, PermanentError, RequestError) if issubclass(error, b)]
    assert len(branches) == 1


def test_the_tree_at_the_top_of_the_file_is_the_tree() -> None:
    drawn = errors.__doc__ or ""
    assert [error.__name__ for error in OURS if error.__name__ not in drawn] == []
