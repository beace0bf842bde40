"""Odd requests to every address: no fault of ours, and what is refused writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from werkzeug.test import TestResponse

from shared.db import Database, fetch_rows
from tests.budgets import choose_seeds
from tests.integration.web.conftest import Browser
from tests.integration.web.odd_requests import OddRequest, OddRequests
from tests.services import owner_database
from tests.waiting import wait_for

SEEDS = choose_seeds(11, 23, 47)
EACH = 1200  # requests a seed; some are alike
PAGES = ("/c/", "/assets", "/operations")  # what answers in HTML, or with a file
TABLES = """
    SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY relname
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_requests_are_answered_plainly_and_change_nothing_when_refused(
    browser: Browser, seed: int
) -> None:
    known = seed_memory(browser)
    requests = OddRequests(browser.client.application.url_map, seed, lambda: known)
    request_lines: set[str] = set()
    faults: list[str] = []
    database = owner_database(browser.context.services)
    query = state_query(database)
    before = state(database, query)
    for request in islice(requests, EACH):
        answer = send(browser, request)
        request_lines.add(str(request))
        faults += [f"{request}: {fault}" for fault in find_faults(request, answer)]
        after = state(database, query)
        if answer.status_code >= 400 and changed(before, after) - allowed(request):
            faults.append(f"{request}: {answer.status_code}, but it has written")
        if answer.status_code < 400 and request.path.startswith(("/api/v1/me", "/api/v1/me")):
            known = seed_memory(browser)
            after = state(database, query)
        before = after
    database.close()
    assert faults == []
    assert len(request_lines) >= 1000


def send(browser: Browser, request: OddRequest) -> TestResponse:
    answer = browser.client.open(
        ended(request.path), method=request.method, headers=request.headers, data=request.body
    )
    _ = answer.data  # a stream is read to its end
    wait_for(lambda: not browser.context.runner._live)
    return answer


def ended(path: str) -> str:
    """The stream of events would go on for ever."""
    if not path.startswith(("/api/v1/events", "/api/v1/events")):
        return path
    return f"{path}{'&' if '?' in path else '?'}wait=false"


def find_faults(request: OddRequest, answer: TestResponse) -> Iterator[str]:
    """An error is the caller's, in JSON with a code and a sentence, wherever a program asks."""
    if answer.status_code == 503 and request.path.startswith("/flower/"):
        return  # there is no Flower here
    if answer.status_code >= 500:
        yield f"{answer.status_code} {answer.text[:200]}"
    elif answer.status_code >= 400 and request.path.startswith("/api/v1"):
        problem = answer.get_json(silent=True) or {}
        fields = {"type", "title", "status", "detail", "instance", "code"}
        if answer.mimetype != "application/problem+json" or not fields <= set(problem):
            yield f"{answer.status_code} is no problem: {answer.text[:200]}"
    elif answer.status_code >= 400 and not request.path.startswith(PAGES):
        error = (answer.get_json(silent=True) or {}).get("error", {})
        if not {"code", "message"} <= set(error):
            yield f"{answer.status_code} in no form of ours: {answer.text[:200]}"


def changed(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> set[str]:
    return {name for name in after if after[name] != before[name]}


def allowed(request: OddRequest) -> set[str]:
    """An import that fails leaves its report, and that it was tried."""
    return {"audit_events", "imports", "users"} if "/import" in request.path else set()


def seed_memory(browser: Browser) -> list[str]:
    """A round, a fact; the ids that requests may name."""
    result = browser.chat("My name is Ines and I live in Lisbon.").get_json()
    form = {"category": "identity", "key": "shoe_size", "value": "39"}
    fact = browser.client.post("/api/v1/facts", json=form).get_json()
    wait_for(lambda: not browser.context.runner._live)
    return [result["conversation_id"], str(fact["fact_id"]), "1"]


def state_query(database: Database) -> str:
    with database.transaction() as connection:
        names = [row["relname"] for row in fetch_rows(connection, TABLES)]
    return " UNION ALL ".join(
        f"SELECT '{name}' AS name, count(*) AS n,"  # noqa: S608 - names from the catalogue
        f" coalesce(max(xmin::text::bigint), 0) AS newest FROM {name}"
        for name in names
    )


def state(database: Database, query: str) -> dict[str, tuple[int, int]]:
    """Of each table: how many rows there are, and the newest transaction that wrote one."""
    with database.transaction() as connection:
        return {row["name"]: (row["n"], row["newest"]) for row in fetch_rows(connection, query)}
