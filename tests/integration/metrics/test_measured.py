"""What the product's own work leaves in the metrics."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from prometheus_client import REGISTRY

from shared.db import Database, PgConnection
from shared.ephemeral.admission import Slot, SlotRequest
from shared.heartbeat import LeaseKeeper
from shared.maintenance.sweep import sweep
from shared.models import Leased
from shared.policy.budget import Room
from shared.recall.prompt import recall
from shared.services import Services
from shared.timing import Steps
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.worker import expire_leases
from tests.services import MakeSettings
from tests.waiting import PATIENCE_S, wait_for

WAIT_S = 1.0


def read(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def test_who_waits_for_a_connection_is_measured(database_url: str) -> None:
    database, asks = Database(database_url, 1, "own"), threading.Event()

    def ask() -> None:
        asks.set()
        with database.transaction():
            pass

    with ThreadPoolExecutor(1) as threads:
        with database.transaction():
            before = read("throughline_pool_wait_seconds_sum", pool="own")
            future = threads.submit(ask)
            asks.wait()
            threading.Event().wait(WAIT_S)
        future.result()
    database.close()
    assert read("throughline_pool_wait_seconds_sum", pool="own") - before > WAIT_S / 10
    assert read("throughline_pool_wait_seconds_count", pool="own") == 2


def test_a_prompt_measures_the_gap_before_its_message(
    product: Services, conversing: Conversing
) -> None:
    conversing.round()
    conversing.round()
    open_round = conversing.open()
    before = read("throughline_gap_messages_sum"), read("throughline_gap_messages_count")
    recall(product, NoEncoder(), open_round, Steps(), Room())
    after = read("throughline_gap_messages_sum"), read("throughline_gap_messages_count")
    assert (after[0] - before[0], after[1] - before[1]) == (4, 1)


def test_a_lease_that_another_took_is_counted(database_url: str) -> None:
    def renew(_: PgConnection, __: Leased, ___: list[int], ____: float) -> set[int]:
        return set()

    before = read("throughline_leases_lost_total", kind="reply")
    database = Database(database_url, 1)
    keeper = LeaseKeeper(database, 0.15, renew)
    with keeper.keep_renewed("reply", 1) as lost:
        assert lost.wait(PATIENCE_S)
    keeper.stop()
    database.close()
    wait_for(lambda: read("throughline_leases_lost_total", kind="reply") == before + 1)


def test_a_sweep_counts_what_it_puts_right(product: Services, conversing: Conversing) -> None:
    def swept(what: str) -> float:
        return read("throughline_swept_total", what=what)

    conversing.round()
    conversing.open()  # and its process dies
    expire_leases(product)
    before = swept("rounds_closed"), swept("jobs_sent_again")
    sweep(product)
    waiting = len(conversing.due)
    assert (swept("rounds_closed"), swept("jobs_sent_again")) == (
        before[0] + 1,
        before[1] + waiting,
    )
    assert waiting > 0


def test_a_job_that_waits_to_call_the_model_is_seen(make_settings: MakeSettings) -> None:
    services = Services(make_settings(llm_model="m", llm_api_base="http://127.0.0.1:9/v1"))
    limit = services.memory_limit
    job = SlotRequest(kind="summary", job_id=1, rank=1, is_quick=False)
    first = limit.acquire(job)
    assert isinstance(first, Slot)
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(limit.wait_for_slot, job)
        wait_for(lambda: read("throughline_waiting_memory_calls") == 1)
        limit.release(first)
        second = future.result()
    assert isinstance(second, Slot)
    limit.release(second)
    assert read("throughline_waiting_memory_calls") == 0
    services.close()
