"""The error tree, as clients see it."""

from __future__ import annotations

import inspect

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


def test_each_error_has_a_sentence_a_code_and_a_status() -> None:
    for error in OURS:
        assert error.__doc__, error
        assert error.code, error
        assert 400 <= error.http_status < 600, error


def test_each_error_stands_in_one_branch() -> None:
    branches = (TransientError, PermanentError, RequestError)
    for error in OURS:
        if error is not ThroughlineError:
            assert len([b for b in branches if issubclass(error, b)]) == 1, error


def test_the_tree_at_the_top_of_the_file_is_the_tree() -> None:
    drawn = errors.__doc__ or ""
    assert [error.__name__ for error in OURS if error.__name__ not in drawn] == []
