"""The optional fields of a request, by what its server takes."""

from __future__ import annotations

from typing import Any

import pytest

from shared.models.request_limits import RequestLimits
from shared.policy.request_fields import LEAST_ANSWER, fit_fields


@pytest.mark.parametrize(
    ("refused", "fields", "expected"),
    [
        ({"temperature"}, {"temperature": 0, "seed": 1}, {"seed": 1}),
        ({"max_tokens"}, {"max_tokens": 9}, {"max_completion_tokens": 9}),
        ({"max_completion_tokens"}, {"max_completion_tokens": 9}, {"max_tokens": 9}),
        ({"max_tokens", "max_completion_tokens"}, {"max_tokens": 9}, {}),
        (
            {"max_tokens"},
            {"max_tokens": 9, "max_completion_tokens": 7},
            {"max_completion_tokens": 7},
        ),
        ({"top_p+temperature"}, {"temperature": 0, "top_p": 1}, {"temperature": 0}),
        ({"top_p+temperature"}, {"top_p": 1}, {"top_p": 1}),
        ({"stream"}, {"stream": True, "stream_options": {}}, {}),
        ({"stream+tools"}, {"stream": True, "stream_options": {}, "tools": []}, {"tools": []}),
    ],
)
def test_what_is_refused_is_left_out_or_renamed(refused: Any, fields: Any, expected: Any) -> None:
    assert fit_fields(fields, RequestLimits(refused=frozenset(refused)), 0) == expected


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (RequestLimits(), 4000),
        (RequestLimits(answer_tokens=500), 500),
        (RequestLimits(prompt_tokens=2000), 1000),  # the prompt takes half of the context
        (RequestLimits(prompt_tokens=900), LEAST_ANSWER),
    ],
)
def test_an_answer_is_as_long_as_it_may_be(limits: RequestLimits, expected: int) -> None:
    assert fit_fields({"max_tokens": 4000}, limits, 1000) == {"max_tokens": expected}
