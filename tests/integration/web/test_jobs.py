"""Background jobs over HTTP: how they stand, and running failed ones again."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.broker.queues import count_waiting
from shared.derivations.kinds import do_job
from shared.models import UserId
from shared.models.job_kinds import DERIVATIONS
from shared.store.lease import claims
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.worker import run_sql
from tests.refusals import code_of
from tests.services import as_owner

BROKEN = Scripted(status=400)
SUMMARY = Scripted(text='{"points": [{"text": "They talked.", "first": 0, "last": 5}]}')
ROUNDS = 3


@pytest.fixture
def spoken(wired: Browser) -> str:
    """A conversation with enough said for a summary; its jobs wait."""
    conversation_id: str | None = None
    for _ in range(ROUNDS):
        answer = wired.chat(conversation_id=conversation_id)
        conversation_id = answer.get_json()["conversation_id"]
    assert conversation_id is not None
    return conversation_id


def jobs_of(browser: Browser, conversation_id: str) -> Any:
    return browser.get(f"/api/v1/conversations/{conversation_id}/jobs")


def newest(browser: Browser, conversation_id: str, kind: str) -> dict[str, Any]:
    jobs = jobs_of(browser, conversation_id)["jobs"]
    return next(job for job in jobs if job["kind"] == kind)


def run_again(browser: Browser, conversation_id: str, kind: str) -> TestResponse:
    return browser.client.post(f"/api/v1/conversations/{conversation_id}/jobs/{kind}/run")


def refusal_of(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, code_of(answer)


def fail_summary(browser: Browser, conversation_id: str, model: FakeOpenAI) -> None:
    model.by_task["summary"] = BROKEN
    do_job(browser.context.services, "summary", newest(browser, conversation_id, "summary")["id"])


def test_jobs_are_counted_by_kind_and_state(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    fail_summary(wired, spoken, openai_server)
    counts = jobs_of(wired, spoken)["counts"]
    assert counts["summary"] == {"failed": 1}
    assert counts["facts"] == {"queued": 1}


def test_a_job_that_failed_says_why_and_runs_again_from_what_is_complete(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    fail_summary(wired, spoken, openai_server)
    failed = newest(wired, spoken, "summary")
    assert failed["state"] == "failed"
    assert failed["error"] == "The server of fake-model did not accept the request for fake-model."
    openai_server.by_task["summary"] = SUMMARY
    answer = run_again(wired, spoken, "summary")
    assert answer.status_code == 202
    again = newest(wired, spoken, "summary")
    assert answer.get_json() == {"kind": "summary", "id": again["id"]}
    assert (again["state"], again["begun_at"]) == ("queued", None)
    assert (again["start_sequence"], again["end_sequence"]) == (0, 5)
    do_job(wired.context.services, "summary", again["id"])
    done = newest(wired, spoken, "summary")
    assert (done["id"], done["state"]) == (again["id"], "completed")
    assert done["created_at"] <= done["begun_at"] <= done["finished_at"]


def test_a_summary_that_the_model_cannot_make_says_so(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["summary"] = Scripted(text="I cannot help with that.")
    do_job(wired.context.services, "summary", newest(wired, spoken, "summary")["id"])
    memory = wired.client.get(f"/api/v1/conversations/{spoken}/summaries").get_json()
    assert [(row["status"], row["is_fallback"]) for row in memory["rows"]] == [("completed", True)]
    assert memory["rows"][0]["points"]


def test_what_is_claimed_anew_is_sent_to_its_queue(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    fail_summary(wired, spoken, openai_server)
    broker = wired.context.services.broker
    before = count_waiting(broker, ["summaries"])["summaries"]
    run_again(wired, spoken, "summary")
    assert count_waiting(broker, ["summaries"])["summaries"] == before + 1


@pytest.mark.parametrize("kind", ["summary", "facts"])
def test_a_job_that_waits_or_runs_is_not_claimed_twice(
    wired: Browser, spoken: str, kind: str
) -> None:
    assert refusal_of(run_again(wired, spoken, kind)) == (409, "job_in_progress")
    derivation = next(d for d in DERIVATIONS.values() if d.kind == kind)
    with as_owner(wired.context.services) as connection:
        claims.begin(connection, derivation, newest(wired, spoken, kind)["id"], 30)
    assert refusal_of(run_again(wired, spoken, kind)) == (409, "job_in_progress")


def test_what_is_covered_is_not_done_again(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["facts"] = Scripted(text='{"facts": []}')
    do_job(wired.context.services, "facts", newest(wired, spoken, "facts")["id"])
    assert newest(wired, spoken, "facts")["state"] == "completed"
    assert refusal_of(run_again(wired, spoken, "facts")) == (409, "nothing_to_do")
    assert refusal_of(run_again(wired, spoken, "episode")) == (409, "nothing_to_do")


def test_a_failed_reply_is_not_summed_up(
    wired: Browser, spoken: str, openai_server: FakeOpenAI
) -> None:
    fail_summary(wired, spoken, openai_server)
    failed = "UPDATE messages SET status = 'failed' WHERE sequence_number = 5"
    run_sql(wired.context.services, failed)
    assert refusal_of(run_again(wired, spoken, "summary")) == (409, "nothing_to_do")


def test_what_is_off_the_record_is_not_read(wired: Browser) -> None:
    conversation_id = wired.chat(mode="off").get_json()["conversation_id"]
    assert refusal_of(run_again(wired, conversation_id, "facts")) == (409, "nothing_to_do")


def test_nobody_runs_anothers_jobs_or_unknown_ones(wired: Browser, spoken: str) -> None:
    other = Conversing(wired.context.services, user_id=UserId("bob"))
    other.round()
    assert refusal_of(run_again(wired, str(other.conversation_id), "facts")) == (404, "not_found")
    assert refusal_of(run_again(wired, spoken, "everything")) == (404, "not_found")
    assert jobs_of(wired, spoken)["counts"]["facts"] == {"queued": 1}


def test_what_the_model_could_not_read_is_counted_and_run_again(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = wired.chat("I live in Porto.").get_json()["conversation_id"]
    assert jobs_of(wired, conversation_id)["unread"] == 0
    openai_server.by_task["facts"] = Scripted(text="I can't help with that.")
    do_job(wired.context.services, "facts", newest(wired, conversation_id, "facts")["id"])
    assert jobs_of(wired, conversation_id)["unread"] == 1
    assert run_again(wired, conversation_id, "facts").status_code == 202
