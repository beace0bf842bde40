"""What is read in the words of servers that refuse a request."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from shared.models.request_limits import RequestLimits
from shared.policy.request_refusals import (
    Refusal,
    SentFields,
    adjust,
    names_nothing,
    search_blindly,
)

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))["case"]
OWN: dict[str, Any] = {
    "max_tokens": 600,
    "temperature": 0.0,
    "response_format": {"type": "json_schema"},
    "stream_options": {"include_usage": True},
    "stream": True,
}
NOTHING = RequestLimits()


def refuse(text: str, status: int = 400) -> Refusal:
    return Refusal(status=status, text=text)


@pytest.mark.parametrize("case", CASES, ids=[case["server"] for case in CASES])
def test_a_refusal_tells_what_to_leave_out(case: Any) -> None:
    fields = case.get("chosen", OWN)
    sent = SentFields(fields=fields, chosen=frozenset(case.get("chosen", ())))
    likeliest = next(adjust(refuse(case["text"], case.get("status", 400)), NOTHING, sent), NOTHING)
    assert sorted(likeliest.refused) == case.get("left_out", [])
    assert likeliest.answer_tokens == case.get("answer_tokens")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"error": "Extra inputs are not permitted"}', False),
        ("<html>Bad Request</html>", False),
        ("", False),
        ('{"detail": [{"loc": ["body"], "msg": "Invalid request"}]}', False),
        ('{"detail": [{"loc": ["body", "messages", 0], "msg": "Invalid request"}]}', True),
        ('{"error": {"message": "The model gpt-9 does not exist"}}', True),
        ('{"error": {"message": "Incorrect API key provided"}}', True),
        ('{"error": {"message": "temperature is odd"}}', True),
    ],
)
def test_only_words_that_name_nothing_are_followed_by_a_search(text: str, *, names: bool) -> None:
    assert names_nothing(refuse(text), SentFields(fields=OWN)) is not names
    assert not names_nothing(refuse(text, 500), SentFields(fields=OWN))


def test_a_search_leaves_out_more_each_time_and_learns_the_last() -> None:
    sent = SentFields(fields=OWN)
    steps = list(search_blindly(refuse("Bad request"), NOTHING, sent))
    assert [sorted(lesson.refused) for _, lesson in steps] == [
        ["json_schema"],
        ["json_object", "json_schema"],
        ["temperature"],
        ["max_tokens"],
        ["max_completion_tokens", "max_tokens"],
        ["stream_options"],
        ["stream"],
    ]
    assert [len(tried.refused) for tried, _ in steps] == [1, 2, 3, 4, 5, 6, 7]


def test_words_that_cannot_mean_a_field_only_put_the_form_in_doubt() -> None:
    steps = search_blindly(refuse("The grammar is too deep"), NOTHING, SentFields(fields=OWN))
    assert len(list(steps)) == 2


def test_a_clients_fields_are_left_out_together_and_not_learned() -> None:
    fields = {"seed": 1, "top_p": 1, "tools": []}
    sent = SentFields(fields=fields, chosen=frozenset(fields))
    [(tried, lesson)] = search_blindly(refuse("Bad request"), NOTHING, sent)
    assert (sorted(tried.refused), lesson) == (["seed", "top_p"], NOTHING)


@pytest.mark.parametrize("text", ["x" * 1_000_000, "'param': " * 100_000, "role " * 200_000])
def test_a_megabyte_of_words_is_read_in_a_moment(text: str) -> None:
    began = time.perf_counter()
    list(adjust(refuse(text), NOTHING, SentFields(fields=OWN)))
    assert time.perf_counter() - began < 1
