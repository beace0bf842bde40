"""What the user says to hold until a day: learned, recalled with its end, and gone after it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from shared.models import Fact
from shared.policy.memory_block import fact_line
from shared.recall.prompt import recall_for_question
from shared.timing import Steps
from tests.asking import make_query
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.integration.derivations.extracting import active, answer, extract, held
from tests.integration.derivations.tidying import tidy_up, undo
from tests.integration.worker import run_sql

FRIDAY, SATURDAY = date(2024, 11, 29), date(2024, 11, 30)


@pytest.fixture
def travelling(wired: Conversing, openai_server: FakeOpenAI) -> Conversing:
    """The user lives in Lyon, and said on a Wednesday that they are in Rome until Friday."""
    openai_server.script(
        answer(("home_city", "Lyon", 0), ("home_city", "Rome", 2), until="2024-11-29"),
        answer(("home_city", "Rome", 4), until="2024-12-01"),
    )
    wired.round("I live in Lyon.")
    wired.round("I'm in Rome until Friday.")
    run_sql(wired.services, "UPDATE messages SET created_at = '2024-11-27T12:00:00Z'")
    extract(wired)
    return wired


def recalled(talk: Conversing, today: date) -> list[Fact]:
    query = make_query("Where am I?", USER, today)
    return list(recall_for_question(talk.services, NoEncoder(), query, Steps()).facts)


def stay_of(talk: Conversing) -> Fact:
    return next(fact for fact in held(talk) if fact.value == "Rome")


def test_it_is_a_fact_beside_what_holds_on(travelling: Conversing) -> None:
    assert active(travelling) == {"home_city": "Lyon", "temporary_home_city": "Rome"}
    assert stay_of(travelling).valid_until == FRIDAY


def test_it_is_recalled_with_its_end_and_not_after_it(travelling: Conversing) -> None:
    lines = [fact_line(fact) for fact in recalled(travelling, FRIDAY)]
    assert "- The user's temporary home city: Rome (since 2024-11-27, until 2024-11-29)" in lines
    assert [fact.value for fact in recalled(travelling, SATURDAY)] == ["Lyon"]


def test_a_tidying_ends_it_until_undone(travelling: Conversing) -> None:
    stay = stay_of(travelling)
    tidy_up(travelling)
    assert active(travelling) == {"home_city": "Lyon"}
    assert undo(travelling, stay).valid_until == FRIDAY
    tidy_up(travelling)
    assert {fact.value for fact in recalled(travelling, SATURDAY)} == {"Lyon", "Rome"}


def test_said_again_it_holds_until_the_newest_day(travelling: Conversing) -> None:
    travelling.round("I'm in Rome until Sunday.")
    run_sql(
        travelling.services,
        "UPDATE messages SET created_at = '2024-11-28T12:00:00Z' WHERE sequence_number = 4",
    )
    extract(travelling)
    assert stay_of(travelling).valid_until == date(2024, 12, 1)
    assert stay_of(travelling).confirmed_at == datetime(2024, 11, 28, 12, tzinfo=UTC)
