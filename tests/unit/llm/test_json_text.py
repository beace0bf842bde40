from __future__ import annotations

import pytest

from shared.llm.json_text import find_objects


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '  \n{"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Sure, here it is: {"a": 1} Anything else?',
        'I think {so}. {"a": 1}',
    ],
)
def test_an_object_is_found_wherever_it_stands(text):
    assert list(find_objects(text)) == [{"a": 1}]


def test_all_objects_are_found_and_inner_ones_are_not_counted():
    text = '<think>maybe {"a": {"b": 2}}</think>{"c": 3}'

    assert list(find_objects(text)) == [{"a": {"b": 2}}, {"c": 3}]


def test_a_bare_line_break_in_a_string_is_forgiven():
    assert list(find_objects('{"a": "one\ntwo"}')) == [{"a": "one\ntwo"}]


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', "[1, 2]", "{" * 5000, '{"a":' * 5000])
def test_what_is_no_object_is_passed_over(text):
    assert list(find_objects(text)) == []
