"""The operator's numbers, who may see them, and that no user's text is among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from shared.derivations.kinds import do_job
from shared.models import Due
from shared.services import Services
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.worker import list_jobs, run_sql
from tests.refusals import code_of
from tests.waiting import wait_for

MakeBrowser = Callable[..., Browser]

SAID = "Albatross"
PATHS = (
    "/operations",
    "/api/v1/operations",
    "/api/v1/operations/workers",
    "/api/v1/operations/versions",
)
PROXY = {"auth_mode": "proxy", "trusted_proxies": "127.0.0.1", "bind": "0.0.0.0"}  # noqa: S104


def converse(browser: Browser, rounds: int = 4) -> str:
    """Rounds that hold a secret; after each, the summaries and facts that are due are made."""
    conversation_id: str | None = None
    for number in range(rounds):
        answer = browser.chat(f"My boat {SAID} {number}", conversation_id=conversation_id)
        conversation_id = answer.get_json()["conversation_id"]
        work_off(browser.context.services)
    assert conversation_id is not None
    return conversation_id


def work_off(services: Services) -> None:
    for due in list_jobs(services, "processing"):
        if due.kind in {"summary", "facts"}:
            do_job(services, due.kind, due.job_id)


def numbers(browser: Browser) -> dict[str, Any]:
    return browser.get("/api/v1/operations")


def states(browser: Browser) -> dict[tuple[str, str], int]:
    return {(entry["kind"], entry["state"]): entry["count"] for entry in numbers(browser)["states"]}


def test_jobs_are_counted_by_kind_and_state(browser: Browser) -> None:
    assert numbers(browser)["states"] == []
    converse(browser)
    browser.chat("Another one.")
    counted = states(browser)
    assert counted["summary", "completed"] == 2
    assert counted["facts", "completed"] == 4
    assert counted["facts", "queued"] == 1


def test_what_ended_long_ago_is_not_counted(browser: Browser) -> None:
    converse(browser)
    run_sql(browser.context.services, "UPDATE memory SET finished_at = now() - interval '25 h'")
    assert ("summary", "completed") not in states(browser)


def test_a_job_is_stuck_once_it_is_older_than_the_setting(make_browser: MakeBrowser) -> None:
    browser = make_browser(stuck_after_s=120)
    browser.chat()
    [due, *_] = [due for due in list_jobs(browser.context.services) if due.kind == "facts"]
    assert numbers(browser)["stuck"] == []
    age_job(browser, due, 119)
    assert numbers(browser)["stuck"] == []
    age_job(browser, due, 121)
    [stuck] = numbers(browser)["stuck"]
    assert (stuck["kind"], stuck["id"], stuck["state"]) == ("facts", due.job_id, "queued")
    assert numbers(browser)["stuck_after_s"] == 120


def age_job(browser: Browser, due: Due, seconds: int) -> None:
    run_sql(
        browser.context.services,
        """
        UPDATE fact_extractions SET created_at = now() - make_interval(secs => %(seconds)s)
        WHERE id = %(job_id)s
        """,
        seconds=seconds,
        job_id=due.job_id,
    )


def test_running_times_are_told_by_kind_and_hour(browser: Browser) -> None:
    converse(browser)
    set_times = """
        UPDATE memory SET begun_at = finished_at - interval '2 s' WHERE end_sequence = 5;
        UPDATE memory SET begun_at = finished_at - interval '4 s' WHERE end_sequence = 7;
    """
    run_sql(browser.context.services, set_times)
    entries = [entry for entry in numbers(browser)["running_times"] if entry["kind"] == "summary"]
    assert sum(entry["count"] for entry in entries) == 2
    assert sum(entry["count"] * entry["average_ms"] for entry in entries) == pytest.approx(6000)
    assert max(entry["longest_ms"] for entry in entries) == pytest.approx(4000)


def test_versions_stand_on_their_bases(browser: Browser) -> None:
    conversation_id = converse(browser, rounds=5)
    chain = browser.get("/api/v1/operations/versions")
    assert chain["conversation_id"] == conversation_id
    rows = chain["versions"]
    assert [(row["start_sequence"], row["end_sequence"]) for row in rows] == [
        (0, 9),
        (0, 7),
        (0, 5),
    ]
    assert [row["base_memory_id"] for row in rows] == [
        *(row["memory_id"] for row in rows[1:]),
        None,
    ]
    assert all(row["generation_time_ms"] >= 0 for row in rows)


def test_a_conversation_is_picked_by_its_id(browser: Browser) -> None:
    first, second = converse(browser), converse(browser)
    assert numbers(browser)["conversations"] == [second, first]
    picked = browser.get(f"/api/v1/operations/versions?conversation_id={first}")
    assert picked["conversation_id"] == first
    refused = browser.client.get("/api/v1/operations/versions?conversation_id=mine")
    assert refused.status_code == 400


def test_without_any_summary_there_is_no_chain(browser: Browser) -> None:
    assert browser.get("/api/v1/operations/versions") == {
        "conversation_id": None,
        "versions": [],
        "next_cursor": None,
    }


def test_queues_are_as_long_as_what_waits_in_them(browser: Browser) -> None:
    browser.chat()
    wait_for(lambda: numbers(browser)["queues"]["facts"] == 1)
    assert numbers(browser)["queues"]["summaries"] >= 0


def test_what_waits_for_a_vector_is_counted(browser: Browser) -> None:
    before = numbers(browser)["unembedded"]
    browser.chat()
    assert numbers(browser)["unembedded"] == before + 2


def test_without_a_broker_the_database_is_told_of_all_the_same(make_browser: MakeBrowser) -> None:
    browser = make_browser(broker_url="redis://127.0.0.1:1/0")
    browser.chat()
    report = numbers(browser)
    assert report["queues"] is None
    assert {entry["kind"] for entry in report["states"]} >= {"facts"}
    assert browser.get("/api/v1/operations/workers") == {"workers": None}


def test_without_workers_none_answers(browser: Browser) -> None:
    assert browser.get("/api/v1/operations/workers") == {"workers": []}


def test_asking_the_workers_leaves_nothing_behind_in_redis(browser: Browser) -> None:
    for _ in range(2):
        browser.get("/api/v1/operations/workers")
    assert browser.context.services.redis.keys("*reply.celery.pidbox*") == []


def test_nothing_that_was_said_is_told(browser: Browser) -> None:
    converse(browser)
    pages = [browser.client.get(path).text for path in PATHS]
    assert (
        SAID in json.dumps(browser.get("/api/v1/facts")) + browser.client.get("/api/v1/export").text
    )
    assert not any(SAID in text for text in pages)


@pytest.mark.parametrize("path", PATHS)
def test_with_a_password_it_is_asked_for(make_browser: MakeBrowser, path: str) -> None:
    browser = make_browser(flower_basic_auth="admin:secret,kim:other")
    refused = browser.client.get(path)
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Basic ")
    assert browser.client.get(path, auth=("admin", "other")).status_code == 401
    for known in (("admin", "secret"), ("kim", "other")):
        assert browser.client.get(path, auth=known).status_code == 200


@pytest.mark.parametrize("path", PATHS)
def test_behind_a_proxy_only_named_operators_get_in(make_browser: MakeBrowser, path: str) -> None:
    browser = make_browser(**PROXY, operators="ada, kim", flower_basic_auth="admin:secret")
    as_user = {name: {"X-Forwarded-User": name} for name in ("kim", "bob")}
    assert browser.client.get(path, headers=as_user["kim"]).status_code == 200
    assert browser.client.get(path, headers=as_user["bob"]).status_code == 403
    password = browser.client.get(path, headers=as_user["bob"], auth=("admin", "secret"))
    assert password.status_code == 403


def test_behind_a_proxy_nobody_gets_in_by_default(make_browser: MakeBrowser) -> None:
    browser = make_browser(**PROXY)
    answer = browser.client.get("/operations", headers={"X-Forwarded-User": "ada"})
    assert answer.status_code == 403


def test_flower_is_linked(make_browser: MakeBrowser) -> None:
    assert 'href="/flower/"' in make_browser().client.get("/operations").text


def test_flower_that_is_away_is_told_as_such(make_browser: MakeBrowser) -> None:
    browser = make_browser(flower_internal_url="http://127.0.0.1:9")
    answer = browser.client.get("/flower/tasks")
    assert answer.status_code == 503
    assert code_of(answer) == "flower_unavailable"


def test_flower_is_for_operators_alone(make_browser: MakeBrowser) -> None:
    browser = make_browser(**PROXY, operators="kim")
    for path in ("/flower/", "/flower/api/tasks"):
        answer = browser.client.get(path, headers={"X-Forwarded-User": "ada"})
        assert answer.status_code == 403


def test_open_rounds_are_counted_with_the_age_of_the_oldest(
    browser: Browser, talk: Conversing
) -> None:
    before = numbers(browser)["rounds"]
    assert before == {"open": 0, "oldest_s": None, "waiting": 0, "memory_calls": 0}
    talk.open(SAID)
    run_sql(
        browser.context.services,
        "UPDATE messages SET created_at = now() - interval '90 s' WHERE status = 'streaming'",
    )
    rounds = numbers(browser)["rounds"]
    assert rounds["open"] == 1
    assert 90 <= rounds["oldest_s"] < 120


def test_users_are_told_by_what_they_have_used_today(make_browser: MakeBrowser) -> None:
    site = make_browser(**PROXY, operators="ada")
    for name, count in (("ada", 1), ("bob", 3)):
        for _ in range(count):
            body = {"message": SAID}
            answer = site.client.post("/chat", json=body, headers={"X-Forwarded-User": name})
            assert answer.status_code == 200
    run_sql(
        site.context.services,
        "INSERT INTO usage_days (user_id, day, rounds) VALUES ('eve', current_date - 1, 9)",
    )
    users = site.get("/api/v1/operations", **{"X-Forwarded-User": "ada"})["users"]
    assert [(user["user_id"], user["rounds"]) for user in users] == [("bob", 3), ("ada", 1)]
    assert users[0].keys() == {"user_id", "rounds", "searches", "tokens"}
