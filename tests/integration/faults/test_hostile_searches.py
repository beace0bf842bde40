"""Searches that cost as much as they can, beside somebody's reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

import pytest
from werkzeug.test import TestResponse

from shared.maintenance.sweep import sweep
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.worker import run_sql
from tests.waiting import wait_for

pytestmark = pytest.mark.changes_schema

LEASE_S = 3.0  # the reply takes longer
WORDS = 4  # a second
SLOW = Scripted(text=" ".join(f"word{n}" for n in range(8 * WORDS)), piece_delay_s=1 / WORDS)
NONSENSE = " ".join(f"x{first}q{second}" for first in "abcdef" for second in "ghijkl")
# Each look for the words of a query takes longer than any search may.
SLOW_WORDS = """
    ALTER FUNCTION asked_words RENAME TO asked_words_at_once;
    CREATE FUNCTION asked_words(asked text) RETURNS tsquery LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(60); RETURN asked_words_at_once(asked); END $$;
"""
ANN, BEN = ({"X-Forwarded-User": name} for name in ("ann", "ben"))


@pytest.fixture
def site(make_browser: Callable[..., Browser], openai_server: FakeOpenAI) -> Browser:
    browser = make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        auth_mode="proxy",
        trusted_proxies=("127.0.0.1/32",),
        db_pool_size=4,
        lease_s=LEASE_S,
    )
    run_sql(browser.context.services, SLOW_WORDS)
    return browser


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(24) as pool:
        yield pool


def search(site: Browser, headers: dict[str, str]) -> TestResponse:
    return site.client.get("/api/v1/search", query_string={"q": NONSENSE}, headers=headers)


def refusals(answers: list[Future[TestResponse]]) -> set[tuple[int, str | None]]:
    results = [answer.result() for answer in answers]
    return {(answer.status_code, answer.headers.get("Retry-After")) for answer in results}


def say(site: Browser, headers: dict[str, str]) -> tuple[int, str | None]:
    answer = site.client.post("/chat", json={"message": "Hello"}, headers=headers)
    return answer.status_code, answer.get_json().get("status")


def test_a_reply_that_is_being_written_outlives_them(
    site: Browser, openai_server: FakeOpenAI, threads: ThreadPoolExecutor
) -> None:
    openai_server.script(SLOW)
    reply = threads.submit(say, site, BEN)
    wait_for(lambda: openai_server.requests)
    answers = [threads.submit(search, site, ANN) for _ in range(20)]
    while not wait([reply], timeout=0.2).done:
        sweep(site.context.services)
    assert reply.result() == (200, "complete")
    assert refusals(answers) == {(200, None), (429, "3")}


def test_others_are_served_meanwhile(
    site: Browser, openai_server: FakeOpenAI, threads: ThreadPoolExecutor
) -> None:
    answers = [threads.submit(search, site, ANN) for _ in range(20)]
    assert site.client.get("/api/v1/conversations", headers=BEN).status_code == 200
    assert say(site, BEN) == (200, "complete")
    assert refusals(answers) == {(200, None), (429, "3")}


def test_what_was_not_looked_up_in_time_is_told(site: Browser) -> None:
    answer = search(site, ANN)
    assert answer.status_code == 200
    assert answer.get_json()["incomplete"] is True
    run_sql(
        site.context.services,
        "DROP FUNCTION asked_words; ALTER FUNCTION asked_words_at_once RENAME TO asked_words",
    )
    wait_for(lambda: search(site, ANN).get_json()["incomplete"] is False)
