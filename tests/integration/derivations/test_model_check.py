"""The examination of models: begun by itself, kept note by note, and what comes of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from shared.broker.queues import count_waiting
from shared.derivations.examination import list_notes
from shared.derivations.model_check import begin_check, check_models
from shared.ephemeral.admission import Slot, SlotRequest
from shared.llm.trust import find_examination, is_trusted
from shared.models.site_models import Examination
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Recorded, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.examinee import sit
from tests.integration.derivations.extracting import active, extract
from tests.integration.derivations.models import HOME, answer, set_up
from tests.integration.derivations.test_suggestions import values
from tests.integration.worker import run_sql
from tests.services import MakeSettings
from tests.waiting import PATIENCE_S, wait_for

MODEL = "memory-model"
DUE_AGAIN = "UPDATE examinations SET begun_at = now() - interval '11 min'"


@pytest.fixture
def wired_product(make_settings: MakeSettings, openai_server: FakeOpenAI) -> Iterator[Services]:
    settings = make_settings(
        llm_model="chat-model",
        memory_model=MODEL,
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        llm_tries=1,
        memory_trust="examined",
    )
    with closing(Services(settings)) as services:
        yield services


def examine(wired: Conversing) -> Examination | None:
    begin_check(wired.services, MODEL)
    check_models(wired.services)
    return find_examination(MODEL, wired.services.models.settings())


def tell(wired: Conversing, server: FakeOpenAI) -> None:
    """A user says where they live, in words that no built-in sentence has."""
    server.by_words["Rome it is"] = answer(HOME)
    wired.round("Rome it is where I live.")
    extract(wired)


def calls(server: FakeOpenAI) -> list[Recorded]:
    """Without the steps in which a server that seems slow reads a prompt."""
    return [
        request
        for request in server.requests
        if "Task: facts" in request.body["messages"][0]["content"]
        and request.body["max_tokens"] > 1
    ]


def test_a_model_that_was_not_examined_suggests_and_its_examination_begins_once(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    before = count_waiting(wired.services.broker, ["facts"])["facts"]
    tell(wired, openai_server)
    tell(wired, openai_server)
    assert (active(wired), values(wired)) == ({}, ["Rome"])
    assert count_waiting(wired.services.broker, ["facts"])["facts"] == before + 1
    run_sql(wired.services, DUE_AGAIN)  # nothing came of it
    tell(wired, openai_server)
    assert count_waiting(wired.services.broker, ["facts"])["facts"] == before + 2


def test_a_model_that_tells_traps_from_statements_is_believed_from_then_on(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sit(openai_server, is_gullible=False)
    examination = examine(wired)
    assert examination is not None
    assert (examination.asked_count, examination.believed, examination.lost) == (60, 0, 0)
    assert len(calls(openai_server)) == 60
    tell(wired, openai_server)
    assert (active(wired), values(wired)) == ({"home_city": "Rome"}, [])
    check_models(wired.services)  # delivered twice, or late
    assert len(calls(openai_server)) == 61


def test_a_model_that_believes_everything_fails_before_all_notes_are_asked(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sit(openai_server, is_gullible=True)
    examination = examine(wired)
    assert examination is not None
    assert examination.is_done
    assert not examination.has_passed
    assert examination.asked_count < len(list_notes())
    tell(wired, openai_server)
    assert (active(wired), values(wired)) == ({}, ["Rome"])


def test_a_model_that_finds_nothing_or_answers_without_json_fails_too(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["facts"] = Scripted(text="I see.")
    examination = examine(wired)
    assert examination is not None
    assert (examination.is_done, examination.has_passed) == (True, False)


@pytest.mark.parametrize(
    "fields", [{"memory_model": "another"}, {"llm_api_base": "http://127.0.0.1:9/v1"}]
)
def test_another_model_or_place_counts_as_unexamined(
    wired: Conversing, openai_server: FakeOpenAI, fields: dict[str, str]
) -> None:
    sit(openai_server, is_gullible=False)
    examine(wired)
    changed = wired.services.settings.model_copy(update=fields)
    with closing(Services(changed)) as later:
        settings = later.models.settings()
        assert not is_trusted(settings.effective_memory_model, settings)
    with closing(Services(wired.services.settings)) as back:
        assert is_trusted(MODEL, back.models.settings())


def test_with_another_version_of_the_prompt_it_is_examined_again(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sit(openai_server, is_gullible=False)
    examine(wired)
    run_sql(wired.services, "UPDATE examinations SET prompt_version = 'of yore'")
    wired.services.models.refresh()
    assert not is_trusted(MODEL, wired.services.models.settings())
    assert (examination := examine(wired)) is not None
    assert examination.has_passed
    assert len(calls(openai_server)) == 120


def test_a_fault_keeps_the_notes_that_are_answered(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sit(openai_server, is_gullible=False)
    openai_server.by_words = {"If I lived in Lisbon": Scripted(status=500)} | openai_server.by_words
    examination = examine(wired)
    assert examination is not None
    assert (examination.asked_count, examination.is_done) == (3, False)
    del openai_server.by_words["If I lived in Lisbon"]
    sit(openai_server, is_gullible=False)
    check_models(wired.services)
    assert is_trusted(MODEL, wired.services.models.settings())


def test_it_gives_way_to_a_round(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.by_task["facts"] = Scripted(delay_s=300)
    begin_check(wired.services, MODEL)
    worker = threading.Thread(target=check_models, args=(wired.services,))
    worker.start()
    wait_for(lambda: calls(openai_server))
    with wired.services.waiting_rounds().announce():
        worker.join(PATIENCE_S)
    assert not worker.is_alive()
    examination = find_examination(MODEL, wired.services.models.settings())
    assert examination is not None
    assert examination.asked_count == 0


def test_facts_that_wait_come_after_the_first_note(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sit(openai_server, is_gullible=False)
    limit = wired.services.memory_limit
    facts = SlotRequest(kind="facts", job_id=1, rank=0, is_quick=True)
    with limit.acquire(facts) as slot:  # type: ignore[union-attr]
        assert isinstance(slot, Slot)
        assert limit.acquire(replace(facts, job_id=2)) == "limit"
    examination = examine(wired)
    assert examination is not None
    assert (examination.asked_count, examination.is_done) == (1, False)


def test_an_operator_overrules_the_examination_of_a_model_of_the_page(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    set_up(wired, openai_server, "always")
    tell(wired, openai_server)
    assert active(wired) == {"home_city": "Rome"}
