from __future__ import annotations

import pytest

from shared.errors import ModelOutputError, ModelRefusedError
from shared.llm import ask_json
from shared.llm.schemas import EpisodeAnswer
from tests.fakes.openai_server import Scripted

GOOD = '{"summary": "A trip.", "key_concepts": ["trip", "Oslo", "ferry"]}'


def test_a_good_answer_is_parsed_at_once(openai_server, wired, ask):
    openai_server.script(Scripted(text=f"Sure!\n```json\n{GOOD}\n```\nAnything else?"))

    answer, usage = ask_json(ask(), EpisodeAnswer, wired())

    assert answer.key_concepts == ["trip", "Oslo", "ferry"]
    assert (usage.tokens_in, usage.tokens_out, usage.model) == (11, 7, "fake-model")


def test_a_broken_answer_is_asked_for_once_more(openai_server, wired, ask):
    openai_server.script(Scripted(text='{"summary": "A trip."}'), Scripted(text=GOOD))

    answer, usage = ask_json(ask(), EpisodeAnswer, wired())

    assert answer.summary == "A trip."
    assert (usage.tokens_in, usage.tokens_out) == (22, 14)
    again = openai_server.requests[1].body["messages"]
    assert [message["role"] for message in again] == ["user", "assistant", "user"]
    assert "key_concepts" in again[2]["content"]


def test_two_broken_answers_are_an_error_that_keeps_the_text(openai_server, wired, ask):
    openai_server.script(Scripted(text="No."), Scripted(text="I said no."))

    with pytest.raises(ModelOutputError) as caught:
        ask_json(ask(), EpisodeAnswer, wired())

    assert caught.value.raw_text == "I said no."
    assert len(openai_server.requests) == 2


def test_a_server_without_json_mode_is_asked_without_it(openai_server, wired, ask):
    openai_server.script(Scripted(status=400), Scripted(text=GOOD))

    answer, _ = ask_json(ask(), EpisodeAnswer, wired())

    assert answer.summary == "A trip."
    assert "response_format" not in openai_server.requests[1].body


def test_a_refusal_stays_a_refusal(openai_server, wired, ask):
    openai_server.script(Scripted(status=401), Scripted(status=401))

    with pytest.raises(ModelRefusedError):
        ask_json(ask(), EpisodeAnswer, wired())
