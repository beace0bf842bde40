"""A Postgres that is there and says nothing: its processes are stopped, its kernel goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from shared.db import fetch_rows
from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.services import Services
from shared.settings import Settings, read_settings
from tests.e2e.breakable import BreakableServices, breakable_services
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.worker import list_jobs, work_off
from tests.services import MakeSettings
from tests.waiting import wait_for

ANSWERED_S = 30  # ten on a quiet machine; for ever without the watch
ROUNDS = 4
#: More of each than there are connections.
CROWD = 12
SLOW_S = 5  # longer than a silent server is waited for

Ask = Callable[[Browser], int]
ASKS: dict[str, Ask] = {
    "list": lambda browser: browser.client.get("/api/v1/conversations").status_code,
    "chat": lambda browser: browser.chat("Hello").status_code,
    "readyz": lambda browser: browser.client.get("/readyz").status_code,
    "metrics": lambda browser: browser.client.get("/metrics").status_code,
}


@pytest.fixture
def breakable() -> Iterator[BreakableServices]:
    with breakable_services() as services:
        yield services


def settings_of(services: BreakableServices, model: dict[str, object]) -> Settings:
    fields = {name.lower(): value for name, value in services.environment.items()}
    return read_settings(**fields, memory_window_limit=6, **model)


def ask_at_once(browser: Browser, kind: str) -> list[tuple[int, float]]:
    """Each status, and the seconds until it came."""

    def ask(_: int) -> tuple[int, float]:
        began = time.monotonic()
        separate_browser = replace(browser, client=browser.client.application.test_client())
        return ASKS[kind](separate_browser), time.monotonic() - began

    with ThreadPoolExecutor(CROWD) as crowd:
        return list(crowd.map(ask, range(CROWD)))


def test_while_postgres_is_frozen_all_are_answered_soon_and_afterwards_all_is_well(
    breakable: BreakableServices, make_separate_browser: MakeBrowser
) -> None:
    fields = {name.lower(): value for name, value in breakable.environment.items()}
    browser = make_separate_browser(**fields)
    for kind in ASKS:  # the pool is full of connections that are good
        assert {status for status, _ in ask_at_once(browser, kind)} <= {200, 429}
    with breakable.postgres.frozen():
        answers = {
            f"{kind}, {when}": ask_at_once(browser, kind)
            for when in ("at first", "and again")
            for kind in ASKS
        }
    statuses = {name: {status for status, _ in each} for name, each in answers.items()}
    waits = {name: round(max(wait for _, wait in each), 1) for name, each in answers.items()}
    assert max(waits.values()) < ANSWERED_S, waits
    for name, codes in statuses.items():
        assert codes <= ({200} if "metrics" in name else {503, 429}), statuses
    wait_for(lambda: browser.client.get("/readyz").status_code == 200)
    for kind in ASKS:
        assert {status for status, _ in ask_at_once(browser, kind)} <= {200, 429}
    product = browser.context.services
    assert [*find_breaches(product.database, product.settings, quiet=False)] == []


def test_a_job_that_met_a_frozen_postgres_is_done_later(
    breakable: BreakableServices, model_settings: dict[str, object], openai_server: FakeOpenAI
) -> None:
    answer_well(openai_server)
    product = Services(settings_of(breakable, model_settings))
    talk = Conversing(product)
    for _ in range(ROUNDS):
        talk.round("I live in Oslo.")
    due = talk.due_of("summary")[0]
    begins = threading.Event()
    answer_well(openai_server, begins=begins)
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(do_job, product, "summary", due)
        wait_for(lambda: len(openai_server.requests) > 0)
        with breakable.postgres.frozen():
            begins.set()
            wait_for(job.done)
    assert list_jobs(product, "completed") == []
    answer_well(openai_server)
    work_off(product)
    assert len(list_jobs(product, "completed")) > 0
    assert [*find_breaches(product.database, product.settings, quiet=True)] == []
    product.close()


def test_a_server_that_is_merely_slow_is_waited_for(make_settings: MakeSettings) -> None:
    product = Services(make_settings())
    with product.database.transaction() as connection:
        assert fetch_rows(connection, "SELECT pg_sleep(%(seconds)s)", seconds=SLOW_S)
    product.close()
