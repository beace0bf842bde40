from __future__ import annotations

import pytest

from shared.errors import ModelOutputError
from shared.llm.ask import parse_answer
from shared.llm.schemas import EpisodeAnswer, SummaryAnswer


def test_the_object_that_fits_is_taken_though_another_comes_first():
    text = '<think>{"points": 3}</think>{"points": [{"text": "x", "first": 0, "last": 1}]}'

    (point,) = parse_answer(text, SummaryAnswer).points
    assert (point.text, point.first, point.last) == ("x", 0, 1)


def test_what_was_wrong_is_named_without_the_value():
    with pytest.raises(ModelOutputError) as caught:
        parse_answer('{"summary": 7, "key_concepts": []}', EpisodeAnswer)

    assert "summary" in caught.value.message
    assert "7" not in caught.value.message
    assert caught.value.raw_text.startswith('{"summary"')


def test_an_answer_without_json_is_an_error():
    with pytest.raises(ModelOutputError, match="no JSON object"):
        parse_answer("I would rather not.", EpisodeAnswer)
