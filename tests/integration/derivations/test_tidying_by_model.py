"""The one call in which a memory model groups a user's facts."""

from __future__ import annotations

import json

import pytest

from shared.llm.schemas import MAX_GROUPED
from shared.models import Fact
from shared.models.site_models import Trust
from tests.fakes.openai_server import FakeOpenAI, Recorded, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active
from tests.integration.derivations.models import set_up, tokens
from tests.integration.derivations.test_suggestions import values
from tests.integration.derivations.tidying import learn, tidy_up, undo, versions_of
from tests.integration.worker import run_sql

YESTERDAY = "UPDATE users SET facts_grouped_at = now() - interval '25 h'"
BOTH = {"line_of_work": "nurse", "trade": "nurse"}
SAME = '{"groups": [{"facts": [1, 2], "relation": "same"}]}'


def script(server: FakeOpenAI, text: str) -> None:
    server.by_task["tidying"] = Scripted(text=text, tokens_in=50, tokens_out=9)


def calls(server: FakeOpenAI) -> list[Recorded]:
    return [
        request
        for request in server.requests
        if "Task: tidying" in request.body["messages"][0]["content"]
    ]


def learn_two(talk: Conversing, value: str = "nurse") -> tuple[Fact, Fact]:
    talk.round()
    talk.round()
    return learn(talk, "line_of_work", "nurse", 0), learn(talk, "trade", value, 2)


def test_facts_of_one_thing_are_joined_and_can_be_separated(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    old, new = learn_two(wired)
    script(openai_server, SAME)
    tidy_up(wired)
    assert active(wired) == {"trade": "nurse"}
    [call] = calls(openai_server)
    assert call.body["messages"][1]["content"] == (
        '<fact n="1" category="identity" key="trade">nurse</fact>\n'
        '<fact n="2" category="identity" key="line_of_work">nurse</fact>'
    )
    assert tokens(wired) == (50, 9, 1)
    assert versions_of(wired, new) == [
        ("trade", "nurse", None),
        ("line_of_work", "nurse", "joined"),
    ]
    undo(wired, old)
    run_sql(wired.services, YESTERDAY)
    tidy_up(wired)
    assert active(wired) == BOTH


@pytest.mark.parametrize(("trust", "questions"), [("always", ["nurse"]), ("never", [])])
def test_about_a_difference_the_user_is_asked_if_the_model_is_trusted(
    wired: Conversing, openai_server: FakeOpenAI, trust: Trust, questions: list[str]
) -> None:
    set_up(wired, openai_server, trust)
    learn_two(wired, "baker")
    script(openai_server, SAME)
    tidy_up(wired)
    assert active(wired) == BOTH | {"trade": "baker"}
    assert values(wired) == questions


@pytest.mark.parametrize(
    "text",
    [
        "They are all the same!",
        '{"groups": "all"}',
        '{"groups": [{"facts": [1, 901], "relation": "same"}]}',
        '{"groups": [{"facts": [1, 2], "relation": "delete"}]}',
        '{"groups": [{"facts": ["line_of_work", "trade"], "relation": "same"}]}',
        json.dumps({"groups": [{"facts": [1, 2, *range(3, 9)], "relation": "same"}]}),
        '{"groups": [{"facts": [1, 1], "relation": "same"}], "forget": [1, 2]}',
        '{"groups": [' * 2000,
    ],
)
def test_a_malformed_or_hostile_answer_changes_nothing(
    wired: Conversing, openai_server: FakeOpenAI, text: str
) -> None:
    assert MAX_GROUPED < 8
    learn_two(wired)
    script(openai_server, text)
    tidy_up(wired)
    assert (active(wired), values(wired)) == (BOTH, [])
    assert len(calls(openai_server)) == 1


def test_a_fault_leaves_it_to_the_rules_and_is_not_repeated(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    learn_two(wired)
    learn(wired, "allergy_kiwi", "kiwi", 0, category="constraint")
    learn(wired, "kiwi_allergy", "kiwi", 2, category="constraint")
    openai_server.by_task["tidying"] = Scripted(status=500)
    tidy_up(wired)
    tidy_up(wired)
    assert active(wired) == BOTH | {"kiwi_allergy": "kiwi"}
    assert len(calls(openai_server)) == 1


def test_it_is_asked_once_a_day_and_only_about_something_new(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    learn_two(wired)
    script(openai_server, '{"groups": []}')
    tidy_up(wired)
    learn(wired, "pastime", "chess", 2)
    tidy_up(wired)
    assert len(calls(openai_server)) == 1
    run_sql(wired.services, YESTERDAY)
    tidy_up(wired)
    assert len(calls(openai_server)) == 2
    run_sql(wired.services, YESTERDAY)
    run_sql(wired.services, "UPDATE structured_facts SET created_at = now() - interval '30 h'")
    tidy_up(wired)
    assert len(calls(openai_server)) == 2
