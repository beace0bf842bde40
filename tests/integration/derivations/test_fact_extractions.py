"""Each facts job begins where the last one stopped, whatever has failed in between."""

from __future__ import annotations

import threading

import pytest

from shared.db import execute, fetch_rows
from shared.derivations.kinds import do_job
from shared.maintenance.sweep import catch_up
from shared.models.job_kinds import FACTS
from shared.policy.facts.batch import MAX_MESSAGES
from shared.store.facts import extractions
from shared.store.lease.lagging import LagFilter, list_lagging
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, answer, extract, rows, spans
from tests.services import as_owner
from tests.waiting import wait_for


def test_a_job_done_twice_is_done_once(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(answer(("name", "Ada", 0)), answer(("name", "Bob", 0)))
    wired.round("I am Ada.")
    extract(wired)
    extract(wired)
    assert len(openai_server.requests) == 1
    assert active(wired) == {"name": "Ada"}


def test_a_late_worker_writes_nothing(wired: Conversing, openai_server: FakeOpenAI) -> None:
    """While its model was thinking, the lease ran out and somebody else began."""
    wired.round("I am Ada.")
    job_id = wired.due_of("facts")[-1]
    begins = threading.Event()
    openai_server.script(Scripted(text=answer(("name", "Ada", 0)).text, begins=begins))
    worker = threading.Thread(target=extract, args=(wired,))
    worker.start()
    wait_for(lambda: openai_server.requests)
    with as_owner(wired.services) as connection:
        execute(connection, "UPDATE fact_extractions SET lease_until = now() - interval '1 s'")
    assert wired.begin(FACTS, job_id) is not None
    begins.set()
    worker.join()
    assert active(wired) == {}
    assert spans(wired) == [("processing", 0, 0)]
    with as_owner(wired.services) as connection:
        assert fetch_rows(connection, "SELECT * FROM token_usage") == []


def test_a_failing_model_leaves_the_watermark_where_it_was(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(status=401), Scripted(status=401))
    wired.round("I am Ada.")
    extract(wired)
    assert spans(wired) == [("failed", 0, 0)]
    wired.round("I live in Rome.")
    assert spans(wired)[-1] == ("processing", 0, 2)


def test_one_message_that_the_model_chokes_on_does_not_keep_the_others_back(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    for text in ("I am Ada.", "Choke on this.", "I live in Rome."):
        wired.round(text)
    nonsense = [Scripted(text="?")] * 2
    openai_server.script(*nonsense, answer(("name", "Ada", 0)))
    extract(wired)
    assert spans(wired) == [("completed", 0, 0), ("processing", 1, 4)]
    openai_server.script(*nonsense, *nonsense)
    do_job(wired.services, "facts", rows(wired)[-1]["id"])
    openai_server.script(answer(("home_city", "Rome", 4)))
    do_job(wired.services, "facts", rows(wired)[-1]["id"])
    assert spans(wired) == [("completed", 0, 0), ("completed", 1, 2), ("completed", 3, 4)]
    assert active(wired) == {"name": "Ada", "home_city": "Rome"}


def test_more_than_one_call_holds_is_read_in_turns(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    for number in range(MAX_MESSAGES + 2):
        wired.round(f"I like number {number}.")
    openai_server.script(answer(), answer())
    extract(wired)
    cut = 2 * (MAX_MESSAGES - 1)
    assert spans(wired) == [("completed", 0, cut), ("processing", cut + 1, cut + 4)]
    do_job(wired.services, "facts", rows(wired)[-1]["id"])
    assert spans(wired)[-1] == ("completed", cut + 1, cut + 4)
    assert len(rows(wired)) == 2


def test_what_was_said_while_the_job_ran_is_claimed_when_it_ends(conversing: Conversing) -> None:
    conversing.round("I am Ada, hello.")
    claim = conversing.begin(FACTS, conversing.due_of("facts")[-1], lease_s=0)
    assert claim is not None
    conversing.round("I live in Rome.")
    assert spans(conversing) == [("processing", 0, 0)]
    extract(conversing)
    assert spans(conversing) == [("completed", 0, 0), ("processing", 1, 2)]


def test_the_sweep_claims_what_nobody_has_read(conversing: Conversing) -> None:
    conversing.round("My name is Ada.")
    with as_owner(conversing.services) as connection:
        execute(connection, "DELETE FROM fact_extractions")
        execute(connection, "UPDATE conversations SET updated_at = now() - interval '1 day'")
    catch_up(conversing.services)
    assert spans(conversing) == [("processing", 0, 0)]


READ = """
    INSERT INTO fact_extractions (conversation_id, user_id, start_sequence, end_sequence, status,
                                  lease_until, finished_at)
    SELECT conversation_id, user_id, 0, 0, %(status)s, now(), now() FROM conversations
"""


@pytest.mark.parametrize(
    ("hinder", "status"),
    [("UPDATE conversations SET mode = 'off'", ""), (READ, "completed"), (READ, "failed")],
    ids=["off", "read", "failed just now"],
)
def test_the_sweep_leaves_alone_what_is_not_behind(
    conversing: Conversing, hinder: str, status: str
) -> None:
    conversing.round("My name is Ada.")
    with as_owner(conversing.services) as connection:
        execute(connection, "DELETE FROM fact_extractions")
        execute(connection, "UPDATE conversations SET updated_at = now() - interval '1 day'")
        execute(connection, hinder, status=status)
        lag_filter = LagFilter(quiet_s=10, within_s=None, pause_s=60, longest_pause_s=3600, limit=9)
        assert list_lagging(connection, extractions.LAG_RULE, lag_filter, model="fake-model") == []
