from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ModelOutputError
from shared.llm.schemas import EpisodeAnswer, FactsAnswer, SummaryAnswer
from shared.llm.structured_output import parse_answer
from shared.policy.text import storable


def test_the_object_that_fits_is_taken_though_another_comes_first() -> None:
    text = '<think>{"points": 3}</think>{"points": [{"text": "x", "first": 0, "last": 1}]}'

    (point,) = parse_answer(text, SummaryAnswer).points
    assert (point.text, point.first, point.last) == ("x", 0, 1)


DRAFT, ANSWER = (f'{{"summary": "{text}", "key_concepts": []}}' for text in ("Draft.", "Answer."))


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{DRAFT}</think>{ANSWER}",
        f"Perhaps {DRAFT}. No.</think>\n{ANSWER}",
        f"First I thought {DRAFT}\n\nThis is better:\n```json\n{ANSWER}\n```",
    ],
)
def test_a_draft_before_the_answer_does_not_count(text: str) -> None:
    assert parse_answer(text, EpisodeAnswer).summary == "Answer."


def test_a_text_about_thinking_stays_whole() -> None:
    answer = '{"summary": "They asked what </think> means.", "key_concepts": []}'
    assert parse_answer(answer, EpisodeAnswer).summary == "They asked what </think> means."


def test_what_was_wrong_is_named_without_the_value() -> None:
    with pytest.raises(ModelOutputError) as caught:
        parse_answer('{"summary": 7, "key_concepts": []}', EpisodeAnswer)

    assert "summary" in caught.value.message
    assert "7" not in caught.value.message
    assert caught.value.raw_text.startswith('{"summary"')


def test_an_answer_without_json_is_an_error() -> None:
    with pytest.raises(ModelOutputError, match="no JSON object"):
        parse_answer("I would rather not.", EpisodeAnswer)


TEXTS = st.text(min_size=1, max_size=20).filter(lambda text: storable(text).strip() == text)
POINTS = st.builds(
    lambda text, first, more: {"text": text, "first": first, "last": first + more},
    TEXTS,
    st.integers(0, 99),
    st.integers(0, 9),
)
FACTS = st.fixed_dictionaries(
    {
        "category": st.sampled_from(["identity", "preference"]),
        "key": TEXTS,
        "value": TEXTS,
        "confidence": st.floats(0, 1),
        "importance": st.floats(0, 1),
        "seq": st.integers(0, 99),
        "retracts": st.booleans(),
    }
)
WHOLE_ANSWERS = st.one_of(
    st.tuples(st.just(SummaryAnswer), st.just("points"), st.lists(POINTS, max_size=4)),
    st.tuples(st.just(FactsAnswer), st.just("facts"), st.lists(FACTS, max_size=4)),
    st.tuples(
        st.just(EpisodeAnswer), st.just("key_concepts"), st.lists(TEXTS, max_size=4, unique=True)
    ),
)


@given(WHOLE_ANSWERS, st.sampled_from([None, 2]))
def test_every_beginning_of_an_answer_gives_the_beginning_of_its_items_or_nothing(
    answer: Any, indent: Any
) -> None:
    form, name, items = answer
    head = {"summary": "A trip."} if form is EpisodeAnswer else {}
    text = json.dumps(head | {name: items}, indent=indent)
    whole = getattr(parse_answer(text, form), name)

    for end in range(len(text)):
        try:
            cut = getattr(parse_answer(text[:end], form, is_truncated=True), name)
        except ModelOutputError:
            continue
        assert cut == whole[: len(cut)]


def test_an_episode_cut_after_its_summary_has_no_concepts() -> None:
    answer = parse_answer('{"summary": "A trip.", "key_c', EpisodeAnswer, is_truncated=True)

    assert (answer.summary, answer.key_concepts) == ("A trip.", [])


def test_a_cut_answer_of_a_foreign_field_is_no_empty_list() -> None:
    with pytest.raises(ModelOutputError):
        parse_answer('{"note": "x", "facts": [', FactsAnswer, is_truncated=True)
