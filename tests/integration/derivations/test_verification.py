"""The second call about what is doubtful: when it is made, and what comes of it."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from shared.db import fetch_row
from shared.models.site_models import ModelConfig
from shared.store import site_models
from tests.fakes.openai_server import FakeOpenAI, Recorded, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, extract
from tests.integration.derivations.test_suggestions import values
from tests.services import as_owner
from tests.waiting import PATIENCE_S, wait_for

YES = {"n": 1, "user": True, "now": True, "meant": True}
HOME = {"category": "identity", "key": "home_city", "value": "Rome", "seq": 0}
SURE = {"confidence": 1.0, "importance": 0.8, "whose": "user", "how": "stated"}


def set_up(conversing: Conversing, server: FakeOpenAI, right: int | None) -> None:
    """Let a model of the page do memory's work, which told so many notes of the probe right."""
    config = ModelConfig(
        name="At home",
        protocol="openai",
        address=server.base_url,
        served_name="small",
        is_offered=True,
        is_chat_default=False,
        is_memory_default=True,
        context_tokens=None,
        max_tokens=None,
    )
    with as_owner(conversing.services) as connection:
        model = site_models.add_model(connection, config, None)
        if right is not None:
            site_models.set_verification(connection, model, right)
    conversing.services.models.refresh()


def propose(server: FakeOpenAI, **fact: object) -> None:
    text = json.dumps({"facts": [HOME | SURE | fact]})
    server.by_task["facts"] = Scripted(text=text, tokens_in=100, tokens_out=20)


def check(server: FakeOpenAI, *checks: dict[str, Any]) -> None:
    text = json.dumps({"checks": checks})
    server.by_task["verification"] = Scripted(text=text, tokens_in=50, tokens_out=9)


def second_calls(server: FakeOpenAI) -> list[Recorded]:
    return [
        request
        for request in server.requests
        if "Task: verification" in request.body["messages"][0]["content"]
    ]


def tokens(conversing: Conversing) -> tuple[int, int, int]:
    with as_owner(conversing.services) as connection:
        row = fetch_row(connection, "SELECT * FROM token_usage WHERE purpose = 'facts'")
    assert row is not None
    return row["tokens_in"], row["tokens_out"], row["calls"]


def test_a_doubt_of_the_models_own_goes_when_it_stands_by_the_fact(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="past")
    check(openai_server, YES)
    wired.round("I live in Rome.")
    extract(wired)
    assert (active(wired), values(wired)) == ({"home_city": "Rome"}, [])
    (call,) = second_calls(openai_server)
    assert call.body["messages"][1]["content"] == (
        '<note n="1" says="home_city: Rome">I live in Rome.</note>'
    )
    assert tokens(wired) == (150, 29, 2)


def test_a_suggestion_that_it_does_not_stand_by_is_dropped(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="now")
    check(openai_server, YES | {"meant": False})
    wired.round("Maybe I live in Rome.")
    extract(wired)
    assert (active(wired), values(wired)) == ({}, [])


def test_what_the_code_doubts_stays_a_suggestion(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="now")
    check(openai_server, YES)
    wired.round("Maybe I live in Rome.")
    extract(wired)
    assert (active(wired), values(wired)) == ({}, ["Rome"])


@pytest.mark.parametrize("text", ["Yes, all true!", '{"checks": [{"n": 1}]}', '{"checks": []}'])
def test_without_a_usable_answer_all_stays_as_it_is(
    wired: Conversing, openai_server: FakeOpenAI, text: str
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="past")
    openai_server.by_task["verification"] = Scripted(text=text)
    wired.round("I live in Rome.")
    extract(wired)
    assert (active(wired), values(wired)) == ({}, ["Rome"])
    assert len(second_calls(openai_server)) == 1


def test_a_fault_of_the_second_call_costs_nothing_of_the_first(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="past")
    openai_server.by_task["verification"] = Scripted(status=500)
    wired.round("I live in Rome.")
    extract(wired)
    assert (active(wired), values(wired)) == ({}, ["Rome"])
    assert len(second_calls(openai_server)) == 1


@pytest.mark.parametrize("right", [None, 12])
def test_a_model_that_was_not_tried_or_did_not_pass_is_not_asked(
    wired: Conversing, openai_server: FakeOpenAI, right: int | None
) -> None:
    set_up(wired, openai_server, right)
    propose(openai_server, when="past")
    wired.round("I live in Rome.")
    extract(wired)
    assert second_calls(openai_server) == []


def test_what_both_agree_on_costs_no_second_call(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="now")
    wired.round("I live in Rome.")
    extract(wired)
    assert active(wired) == {"home_city": "Rome"}
    assert second_calls(openai_server) == []


def test_a_round_that_comes_breaks_the_second_call_off(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, 16)
    propose(openai_server, when="past")
    openai_server.by_task["verification"] = Scripted(delay_s=300)
    wired.round("I live in Rome.")
    worker = threading.Thread(target=extract, args=(wired,))
    worker.start()
    wait_for(lambda: second_calls(openai_server))
    with wired.services.waiting_rounds().announce():
        wait_for(lambda: openai_server.hang_ups)
        worker.join(PATIENCE_S)
    assert not worker.is_alive()
    assert (active(wired), values(wired)) == ({}, [])
    check(openai_server, YES)
    extract(wired)
    assert active(wired) == {"home_city": "Rome"}
