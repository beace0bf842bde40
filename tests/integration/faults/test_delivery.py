"""Tasks that come twice, late, or not at all. Each test counts before and after."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from prometheus_client import REGISTRY

from shared.broker.sending import send_due
from shared.db import fetch_row
from shared.derivations.kinds import do_job
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import Kind
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import (
    count_queued,
    count_rows,
    expire_leases,
    list_jobs,
    shift_leases,
    work_off,
)
from tests.services import MakeSettings, as_owner
from tests.waiting import PATIENCE_S, wait_for

KINDS: tuple[Kind, ...] = ("summary", "episode", "facts", "title")
ROUNDS = 4  # seven messages and more: one job of each kind is due


@pytest.fixture
def due(conversing: Conversing, openai_server: FakeOpenAI) -> dict[Kind, int]:
    """One claimed job of each kind, that nobody has begun."""
    answer_well(openai_server)
    for _ in range(ROUNDS):
        conversing.round("I live in Oslo.")
    return {job.kind: job.job_id for job in conversing.due}


@pytest.fixture
def frozen(make_settings: MakeSettings, model_settings: dict[str, object]) -> Iterator[Services]:
    """Another worker, that will hear too late that its lease is over."""
    patient: dict[str, object] = {"llm_timeout_s": PATIENCE_S}
    services = Services(make_settings(memory_window_limit=6, **model_settings | patient))
    yield services
    services.close()


def late_writes(kind: Kind) -> float:
    return REGISTRY.get_sample_value("throughline_late_writes_total", {"kind": kind}) or 0


def breaches(product: Services, *, quiet: bool = False) -> list[object]:
    return [*find_breaches(product.database, product.settings, quiet=quiet)]


def status_of(product: Services, kind: Kind) -> set[str]:
    statuses = ("processing", "completed", "failed")
    return {s for s in statuses if kind in {job.kind for job in list_jobs(product, s)}}


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_delivered_twice_at_the_same_time_is_done_once(
    product: Services, due: dict[Kind, int], openai_server: FakeOpenAI, kind: Kind
) -> None:
    answer_well(openai_server, delay_s=0.3)
    before = count_rows(product)
    together = Barrier(4)

    def deliver(_: int) -> None:
        together.wait()
        do_job(product, kind, due[kind])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(deliver, range(4)))
    assert len(openai_server.requests) == 1
    assert status_of(product, kind) == {"completed"}
    facts = {"structured_facts": 1} if kind == "facts" else {}
    assert count_rows(product) == before | facts
    do_job(product, kind, due[kind])
    assert len(openai_server.requests) == 1
    assert count_rows(product) == before | facts
    assert breaches(product) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_whose_lease_went_to_another_changes_nothing(
    product: Services,
    frozen: Services,
    due: dict[Kind, int],
    openai_server: FakeOpenAI,
    kind: Kind,
) -> None:
    late_before = late_writes(kind)
    begins = Event()
    answer_well(openai_server, begins=begins)
    with ThreadPoolExecutor(1) as threads:
        stuck = threads.submit(do_job, frozen, kind, due[kind])
        wait_for(lambda: len(openai_server.requests) == 1)
        expire_leases(product)
        answer_well(openai_server)
        do_job(product, kind, due[kind])
        assert status_of(product, kind) == {"completed"}
        counts, facts_before = count_rows(product), _versions(product)
        begins.set()
        stuck.result()
    assert late_writes(kind) == late_before + 1
    assert (count_rows(product), _versions(product)) == (counts, facts_before)
    assert breaches(product) == []


def test_two_sweepers_at_once_send_each_job_once(
    product: Services, frozen: Services, due: dict[Kind, int]
) -> None:
    expire_leases(product)
    assert count_queued(product) == 0
    together = Barrier(2)

    def sweep_together(services: Services) -> None:
        together.wait()
        sweep(services)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(sweep_together, [product, frozen]))
    assert count_queued(product) == len(due) == 4
    assert breaches(product) == []


def test_the_whole_queue_replayed_changes_no_row(
    product: Services, due: dict[Kind, int], openai_server: FakeOpenAI
) -> None:
    work_off(product)
    before, request_count = count_rows(product), len(openai_server.requests)
    for job in list_jobs(product) * 2:
        do_job(product, job.kind, job.job_id)
    assert (count_rows(product), len(openai_server.requests)) == (before, request_count)
    assert breaches(product, quiet=True) == []


def test_a_queue_that_was_wiped_is_filled_again_by_the_sweep(
    product: Services, due: dict[Kind, int]
) -> None:
    assert len(due) == 4
    send_due(product.broker, list_jobs(product, "processing"))
    assert count_queued(product) == 4
    product.redis.flushdb()
    sweep(product)
    assert count_queued(product) == 0  # the grace is not over
    expire_leases(product)
    sweep(product)
    assert count_queued(product) == 4
    work_off(product)
    assert breaches(product, quiet=True) == []


def test_the_connection_cut_between_commit_and_send_delays_a_job_and_loses_none(
    make_settings: MakeSettings,
    model_settings: dict[str, object],
    product: Services,
    openai_server: FakeOpenAI,
) -> None:
    answer_well(openai_server)
    cut = Services(make_settings(broker_url="redis://127.0.0.1:1/0", **model_settings))
    conversing = Conversing(cut)
    for _ in range(ROUNDS):
        conversing.round("I live in Oslo.")
        send_due(cut.broker, conversing.due)
    before = count_rows(product)
    assert (before["memory"], before["fact_extractions"]) == (1, 1)
    assert count_queued(product) == 0
    expire_leases(product)
    sweep(product)
    assert count_queued(product) == 3
    work_off(product)
    assert count_rows(product)["messages"] == before["messages"] == 2 * ROUNDS
    assert breaches(product, quiet=True) == []
    cut.close()


def test_a_clock_that_jumps_ahead_costs_one_repetition(
    product: Services, frozen: Services, due: dict[Kind, int], openai_server: FakeOpenAI
) -> None:
    begins = Event()
    answer_well(openai_server, begins=begins)
    with ThreadPoolExecutor(1) as threads:
        working = threads.submit(do_job, frozen, "summary", due["summary"])
        wait_for(lambda: len(openai_server.requests) == 1)
        expire_leases(product)  # an hour has passed at once, says the database
        sweep(product)
        begins.set()
        working.result()
    answer_well(openai_server)
    assert status_of(product, "summary") == {"processing"}
    do_job(product, "summary", due["summary"])
    assert status_of(product, "summary") == {"completed"}
    assert len(openai_server.requests) == 2
    work_off(product)
    assert breaches(product, quiet=True) == []


def test_a_clock_that_jumps_back_leaves_no_job_waiting_for_the_old_time(
    product: Services, due: dict[Kind, int], conversing: Conversing
) -> None:
    conversing.open("And this one is cut off.")
    shift_leases(product, "5 h")
    sweep(product)
    assert count_queued(product) == 4
    assert breaches(product) == []
    with as_owner(product) as connection:
        row = fetch_row(connection, "SELECT count(*) AS n FROM messages WHERE status = 'streaming'")
    assert row is not None
    assert row["n"] == 0


def test_what_is_said_while_a_job_is_at_work_is_covered_by_the_next(
    product: Services, due: dict[Kind, int], conversing: Conversing, openai_server: FakeOpenAI
) -> None:
    begins = Event()
    answer_well(openai_server, begins=begins)
    with ThreadPoolExecutor(len(KINDS)) as threads:
        working = [threads.submit(do_job, product, kind, due[kind]) for kind in KINDS]
        wait_for(lambda: len(openai_server.requests) == len(KINDS))
        for _ in range(4):
            conversing.round("And I have moved to Rome.")
        begins.set()
        for job in working:
            job.result()
    answer_well(openai_server)
    work_off(product)
    read = [request.body["messages"][-1]["content"] for request in openai_server.requests]
    assert any("moved to Rome" in text for text in read)
    assert count_rows(product)["messages"] == 2 * (ROUNDS + 4)
    assert breaches(product, quiet=True) == []


def _versions(product: Services) -> object:
    sql = "SELECT string_agg(f::text, '|' ORDER BY id) AS all FROM structured_facts f"
    with as_owner(product) as connection:
        return fetch_row(connection, sql)
