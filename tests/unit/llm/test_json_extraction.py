from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.llm.json_extraction import find_objects, find_truncated_objects

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
ITEMS = st.lists(st.text() | st.dictionaries(st.text(max_size=5), SCALARS, max_size=3), max_size=5)


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
def test_an_object_is_found_wherever_it_stands(text: str) -> None:
    assert list(find_objects(text)) == [{"a": 1}]


def test_all_objects_are_found_and_inner_ones_are_not_counted() -> None:
    text = '<think>maybe {"a": {"b": 2}}</think>{"c": 3}'

    assert list(find_objects(text)) == [{"a": {"b": 2}}, {"c": 3}]


def test_a_bare_line_break_in_a_string_is_forgiven() -> None:
    assert list(find_objects('{"a": "one\ntwo"}')) == [{"a": "one\ntwo"}]


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', "[1, 2]", "{" * 5000, '{"a":' * 5000])
def test_what_is_no_object_is_passed_over(text: str) -> None:
    assert list(find_objects(text)) == []


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ('{"a": [1, 2', {"a": [1]}),
        ('{"a": ["x", "y"', {"a": ["x", "y"]}),
        ('{"a": "x", "b": [{"c": 1}, {"c"', {"a": "x", "b": [{"c": 1}]}),
        ('{"a": "x", "b": 12', {"a": "x"}),
        ('{"a": 1, "b": {"c": [1, 2', {"a": 1}),
        ('{"a": [["x"], ["y"', {"a": [["x"]]}),
        ('Well: {"a": "x", "b": [', {"a": "x"}),
        ('{"a": ["x"] "b": ["y"]}', {"a": ["x"]}),
        ('{"a": ["say "hi"", "x"]} {"b": ["y", ', {"b": ["y"]}),
    ],
)
def test_what_is_finished_of_a_cut_object_is_kept(text: str, finished: Any) -> None:
    assert next(find_truncated_objects(text)) == finished


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', '{"a": [', '{"a": [{"b": 1', '{"a": 1}'])
def test_where_nothing_is_finished_or_nothing_cut_there_is_nothing(text: str) -> None:
    assert list(find_truncated_objects(text)) == []


def test_many_open_braces_are_looked_at_for_a_while_only() -> None:
    assert list(find_truncated_objects('{"a":[' * 5000)) == []


@given(st.text(), ITEMS)
def test_a_cut_list_is_a_beginning_of_the_whole_one(head: Any, items: Any) -> None:
    whole = json.dumps({"head": head, "items": items}, ensure_ascii=False)

    for end in range(len(whole)):
        for answer in list(find_truncated_objects(whole[:end]))[:1]:
            assert answer.get("head", head) == head
            prefix = answer.get("items", [])
            assert isinstance(prefix, list)
            assert prefix == items[: len(prefix)]
