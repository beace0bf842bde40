from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import ModelOutputError, ModelRefusedError
from shared.llm import ask_json
from shared.llm.schemas import EpisodeAnswer, FactsAnswer, SummaryAnswer
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest

GOOD = '{"summary": "A trip.", "key_concepts": ["trip", "Oslo", "ferry"]}'


def test_a_good_answer_is_parsed_at_once(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text=f"Sure!\n```json\n{GOOD}\n```\nAnything else?"))

    answer, usage = ask_json(ask(), EpisodeAnswer, wired())

    assert answer.key_concepts == ["trip", "Oslo", "ferry"]
    assert (usage.tokens_in, usage.tokens_out, usage.model) == (11, 7, "fake-model")


def test_a_broken_answer_is_asked_for_once_more(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text='{"summary": "A trip."}'), Scripted(text=GOOD))

    answer, usage = ask_json(ask(), EpisodeAnswer, wired())

    assert answer.summary == "A trip."
    assert (usage.tokens_in, usage.tokens_out) == (22, 14)
    again = openai_server.requests[1].body["messages"]
    assert [message["role"] for message in again] == ["user", "assistant", "user"]
    assert "key_concepts" in again[2]["content"]


def test_two_broken_answers_are_an_error_that_keeps_the_text(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="No."), Scripted(text="I said no."))

    with pytest.raises(ModelOutputError) as caught:
        ask_json(ask(), EpisodeAnswer, wired())

    assert caught.value.raw_text == "I said no."
    assert len(openai_server.requests) == 2


@pytest.mark.parametrize(
    ("refused", "formats"),
    [
        (set(), ["json_schema"]),
        ({"json_schema"}, ["json_schema", "json_object"]),
        ({"json_object"}, ["json_schema"]),
        ({"json_schema", "json_object"}, ["json_schema", "json_object", None]),
    ],
)
def test_the_strictest_form_that_the_server_takes_is_found_and_remembered(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    refused: Any,
    formats: Any,
) -> None:
    openai_server.refused_formats |= refused
    openai_server.script(Scripted(text=GOOD), Scripted(text=GOOD))

    settings = wired()
    ask_json(ask(), EpisodeAnswer, settings)
    ask_json(ask(), EpisodeAnswer, settings)

    assert openai_server.formats == [*formats, formats[-1]]


def test_each_model_of_a_server_is_remembered_for_itself(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.refused_formats.add("json_schema")
    openai_server.script(Scripted(text=GOOD), Scripted(text=GOOD))

    settings = wired()
    ask_json(ask(), EpisodeAnswer, settings)
    ask_json(ask(model="another"), EpisodeAnswer, settings)

    assert openai_server.formats == ["json_schema", "json_object"] * 2


def test_a_refusal_that_is_not_of_the_form_is_not_remembered(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(*[Scripted(status=400)] * 3, Scripted(status=401), Scripted(text=GOOD))

    settings = wired()
    for _ in range(2):
        with pytest.raises(ModelRefusedError):
            ask_json(ask(), EpisodeAnswer, settings)
    ask_json(ask(), EpisodeAnswer, settings)

    assert openai_server.formats == ["json_schema", "json_object", None, *["json_schema"] * 2]


@pytest.mark.parametrize("fault", [Scripted(status=500), Scripted(text=" ")])
def test_a_fault_that_may_come_of_the_form_is_tried_again_without_it(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest, fault: Any
) -> None:
    openai_server.script(fault, Scripted(text=GOOD), Scripted(text=GOOD))

    ask_json(ask(), EpisodeAnswer, wired(llm_tries=2))
    ask_json(ask(), EpisodeAnswer, wired(llm_tries=2))

    assert openai_server.formats == ["json_schema", None, "json_schema"]


def test_an_answer_that_had_no_more_tokens_keeps_its_finished_items(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    cut = '{"points": [{"text": "One.", "first": 0, "last": 1}, {"text": "Tw'
    openai_server.script(Scripted(text=cut, finish_reason="length"))

    answer, _ = ask_json(ask(), SummaryAnswer, wired())

    assert [point.text for point in answer.points] == ["One."]
    assert len(openai_server.requests) == 1


def test_a_broken_answer_keeps_its_finished_items_when_the_second_has_none(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    broken = '{"points": [{"text": "One.", "first": 0, "last": 1}, {"text": "a "quote" in it"}]}'
    openai_server.script(Scripted(text=broken), Scripted(text="Sorry."))

    answer, _ = ask_json(ask(), SummaryAnswer, wired())

    assert [point.text for point in answer.points] == ["One."]


def test_an_answer_cut_before_its_first_item_is_no_empty_answer(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    cut = Scripted(text='{"facts": [{"category": "ident', finish_reason="length")
    openai_server.script(cut, cut)

    with pytest.raises(ModelOutputError):
        ask_json(ask(), FactsAnswer, wired())
