"""The check of a model that the environment names: begun by itself, and kept for its place."""

from __future__ import annotations

import json
import threading
from contextlib import closing

import pytest

from shared.broker import count_waiting
from shared.derivations.model_check import check_memory_model
from shared.llm.verification import find_right
from shared.llm.verification_probe import CASES
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, extract
from tests.integration.derivations.test_suggestions import values
from tests.integration.derivations.test_tidying_by_model import SAME, learn_two, script
from tests.integration.derivations.test_verification import (
    YES,
    check,
    propose,
    second_calls,
    set_up,
)
from tests.integration.derivations.tidying import tidy_up
from tests.integration.worker import run_sql
from tests.waiting import PATIENCE_S, wait_for

DUE_AGAIN = "UPDATE environment_models SET begun_at = now() - interval '11 min'"
RIGHT = [
    {"n": number, "user": True, "now": True, "meant": is_right}
    for number, (_, is_right) in enumerate(CASES, start=1)
]


def doubt(wired: Conversing, server: FakeOpenAI) -> None:
    """Let a job of facts end with a note that the model doubts."""
    propose(server, when="past")
    wired.round("I live in Rome.")
    extract(wired)


def count_sent(wired: Conversing) -> int:
    return count_waiting(wired.services.broker, ["facts"])["facts"]


def test_it_is_begun_once_when_there_is_something_to_ask(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    before = count_sent(wired)
    propose(openai_server, when="now")
    wired.round("I live in Rome.")
    extract(wired)
    assert count_sent(wired) == before
    doubt(wired, openai_server)
    doubt(wired, openai_server)
    assert count_sent(wired) == before + 1
    assert second_calls(openai_server) == []
    run_sql(wired.services, DUE_AGAIN)  # it has had no answer
    doubt(wired, openai_server)
    assert count_sent(wired) == before + 2


def test_a_good_model_is_asked_from_then_on(wired: Conversing, openai_server: FakeOpenAI) -> None:
    check(openai_server, *RIGHT)
    check_memory_model(wired.services)
    [call] = second_calls(openai_server)
    assert call.body["model"] == "memory-model"
    check(openai_server, YES)
    doubt(wired, openai_server)
    assert (active(wired), values(wired)) == ({"home_city": "Rome"}, [])
    check_memory_model(wired.services)  # delivered twice, or late
    assert len(second_calls(openai_server)) == 2


@pytest.mark.parametrize("text", [json.dumps({"checks": [YES]}), "They are all true."])
def test_a_bad_model_is_not_asked_and_not_checked_again(
    wired: Conversing, openai_server: FakeOpenAI, text: str
) -> None:
    before = count_sent(wired)
    openai_server.by_task["verification"] = Scripted(text=text)
    check_memory_model(wired.services)
    run_sql(wired.services, DUE_AGAIN)
    doubt(wired, openai_server)
    assert (active(wired), values(wired)) == ({}, ["Rome"])
    assert (len(second_calls(openai_server)), count_sent(wired)) == (1, before)


@pytest.mark.parametrize(
    "fields", [{"memory_model": "another"}, {"llm_api_base": "http://127.0.0.1:9/v1"}]
)
def test_another_model_or_place_counts_as_untried(
    wired: Conversing, openai_server: FakeOpenAI, fields: dict[str, str]
) -> None:
    check(openai_server, *RIGHT)
    check_memory_model(wired.services)
    changed = wired.services.settings.model_copy(update=fields)
    with closing(Services(changed)) as later:
        assert find_right(later.models.settings()) is None
    with closing(Services(wired.services.settings)) as back:
        assert find_right(back.models.settings()) == len(CASES)


def test_a_fault_leaves_it_unknown(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.by_task["verification"] = Scripted(status=500)
    check_memory_model(wired.services)
    assert find_right(wired.services.models.settings()) is None


def test_it_gives_way_to_a_round(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.by_task["verification"] = Scripted(delay_s=300)
    worker = threading.Thread(target=check_memory_model, args=(wired.services,))
    worker.start()
    wait_for(lambda: second_calls(openai_server))
    with wired.services.waiting_rounds().announce():
        worker.join(PATIENCE_S)
    assert not worker.is_alive()
    assert find_right(wired.services.models.settings()) is None


def test_a_model_of_the_page_takes_its_place(wired: Conversing, openai_server: FakeOpenAI) -> None:
    set_up(wired, openai_server, None)
    doubt(wired, openai_server)
    check_memory_model(wired.services)
    assert second_calls(openai_server) == []


def test_a_tidying_asks_about_a_difference_once_the_model_has_passed(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    check(openai_server, *RIGHT)
    check_memory_model(wired.services)
    learn_two(wired, "baker")
    script(openai_server, SAME)
    tidy_up(wired)
    assert values(wired) == ["nurse"]
