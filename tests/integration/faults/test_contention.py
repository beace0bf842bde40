"""Four people talk to a server of two slots, and memory has much to do at the same server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.faults.answers import ANSWERS
from tests.integration.web.conftest import Browser
from tests.integration.worker import list_jobs, work_off

USERS = 4
ROUNDS = 4
WORKERS = 8
SLOTS = 2
MEMORY_CALL_S = 1.5
SILENCE_S = 6  # eight memory calls on two slots would be as long


@pytest.fixture
def site(
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    model_settings: dict[str, object],
) -> Browser:
    openai_server.slots = threading.Semaphore(SLOTS)
    openai_server.by_task |= {
        task: replace(answer, delay_s=MEMORY_CALL_S) for task, answer in ANSWERS.items()
    }
    openai_server.by_task["reply"] = Scripted(
        text="one two three four five", delay_s=0.2, piece_delay_s=0.02
    )
    return make_browser(**(model_settings | {"llm_timeout_s": SILENCE_S}))


@pytest.fixture
def workers(site: Browser) -> Iterator[Callable[[], None]]:
    """Threads that take whatever is due, as those of worker-llm do. Call it to end them."""
    over = threading.Event()
    services = site.context.services

    def work(number: int) -> None:
        while not over.wait(0.05):
            for due in list_jobs(services, "processing")[number::WORKERS]:
                do_job(services, due.kind, due.job_id)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()

    def end() -> None:
        over.set()
        for thread in threads:
            thread.join()

    yield end
    end()


def talk(site: Browser, statuses: list[int]) -> None:
    place: dict[str, str] = {}
    client = site.context  # each user has a client of their own
    browser = Browser(site.client.application.test_client(), client)
    for number in range(ROUNDS):
        answer = browser.chat(f"I live in Oslo, number {number}.", **place)
        statuses.append(answer.status_code)
        place = {"conversation_id": answer.get_json()["conversation_id"]}


def breaches(services: Services, *, quiet: bool) -> list[object]:
    return [*find_breaches(services.database, services.settings, quiet=quiet)]


def test_no_reply_is_starved_and_memory_catches_up(
    site: Browser, openai_server: FakeOpenAI, workers: Callable[[], None]
) -> None:
    statuses: list[int] = []
    people = [threading.Thread(target=talk, args=(site, statuses)) for _ in range(USERS)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    workers()
    assert statuses == [200] * (USERS * ROUNDS)
    assert openai_server.most_at_once["memory"] <= 1
    services = site.context.services
    assert breaches(services, quiet=False) == []
    openai_server.by_task |= ANSWERS
    work_off(services)
    assert {due.kind for due in list_jobs(services, "failed")} == set()
    assert breaches(services, quiet=True) == []
