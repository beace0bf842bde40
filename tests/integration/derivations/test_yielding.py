"""Memory's jobs give way to replies: before they begin, and in the middle of a call."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from shared.db import Row, fetch_row
from shared.derivations.kinds import do_job
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import run_sql, work_off
from tests.services import as_owner
from tests.waiting import PATIENCE_S, wait_for

LONG_S = 300
STATE = """
    SELECT status, attempts, fencing_token, lease_until > now() AS is_later
    FROM fact_extractions WHERE id = %(job_id)s
"""
LOSE = "UPDATE fact_extractions SET fencing_token = nextval('fencing_tokens')"


@pytest.fixture
def job_id(wired: Conversing) -> int:
    wired.round("I live in Oslo.")
    return wired.due_of("facts")[0]


@pytest.fixture
def at_work(wired: Conversing, openai_server: FakeOpenAI, job_id: int) -> Iterator[None]:
    """The job waits for a model that says nothing."""
    openai_server.by_task["facts"] = Scripted(delay_s=LONG_S)
    worker = threading.Thread(target=do_job, args=(wired.services, "facts", job_id))
    worker.start()
    wait_for(lambda: openai_server.requests)
    yield
    worker.join(PATIENCE_S)
    assert not worker.is_alive()


def state(services: Services, job_id: int) -> Row:
    with as_owner(services) as connection:
        row = fetch_row(connection, STATE, job_id=job_id)
    assert row is not None
    return row


def test_a_job_that_finds_a_round_waiting_is_put_back_as_if_untried(
    wired: Conversing, openai_server: FakeOpenAI, job_id: int
) -> None:
    with wired.services.waiting_rounds().announce():
        do_job(wired.services, "facts", job_id)
    row = state(wired.services, job_id)
    assert (row["status"], row["attempts"], row["fencing_token"]) == ("processing", 0, None)
    assert row["is_later"]
    assert openai_server.requests == []


def test_a_round_that_comes_breaks_a_running_call_off(
    wired: Conversing, openai_server: FakeOpenAI, job_id: int, at_work: None
) -> None:
    with wired.services.waiting_rounds().announce():
        wait_for(lambda: openai_server.hang_ups)
        wait_for(lambda: state(wired.services, job_id)["fencing_token"] is None)
    row = state(wired.services, job_id)
    assert (row["status"], row["attempts"]) == ("processing", 0)
    answer_well(openai_server)
    work_off(wired.services)
    assert state(wired.services, job_id)["status"] == "completed"


def test_a_job_whose_lease_is_lost_hangs_up(
    wired: Conversing, openai_server: FakeOpenAI, job_id: int, at_work: None
) -> None:
    run_sql(wired.services, LOSE)
    wired.services.keeper.beat()
    wait_for(lambda: openai_server.hang_ups)
    assert state(wired.services, job_id)["status"] == "processing"


@pytest.mark.parametrize("task", ["title", "facts", "summary", "episode"])
def test_each_kind_has_its_own_most_tokens(
    wired: Conversing, openai_server: FakeOpenAI, task: Kind
) -> None:
    answer_well(openai_server)
    for _ in range(10):
        wired.round("I live in Oslo.")
    work_off(wired.services)
    bodies = [request.body for request in openai_server.requests]
    limits = {b["max_tokens"] for b in bodies if f"Task: {task}" in b["messages"][0]["content"]}
    assert limits == {DERIVATIONS[task].max_tokens}
