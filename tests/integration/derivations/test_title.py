"""The title job: when it is due, what it reads, and whose title stays."""

from __future__ import annotations

import pytest

from shared.derivations.kinds import do_job
from shared.ephemeral.news import Change, JobChange, read_news
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import Mode, Outcome
from shared.rounds.opening import open_round
from shared.rounds.requests import Retry
from shared.store import conversations
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import USER, Conversing
from tests.integration.worker import let_time_pass, list_jobs, run_sql
from tests.services import as_owner

RENAME = "UPDATE conversations SET title = %(title)s"


@pytest.fixture
def conversing(wired: Conversing, openai_server: FakeOpenAI) -> Conversing:
    openai_server.by_task["title"] = Scripted(text='"Ferry to Oslo."')
    return wired


def title_of(conversing: Conversing) -> str | None:
    assert conversing.conversation_id is not None
    with as_owner(conversing.services) as connection:
        conversation = conversations.find_any_conversation(connection, conversing.conversation_id)
    assert conversation is not None
    return conversation.title


def write(conversing: Conversing) -> None:
    for job_id in conversing.due_of("title"):
        do_job(conversing.services, "title", job_id)


def test_the_first_complete_round_gets_a_title_and_later_ones_get_no_other(
    conversing: Conversing, openai_server: FakeOpenAI
) -> None:
    conversing.round("When does the ferry to Oslo leave?")
    write(conversing)
    assert title_of(conversing) == "Ferry to Oslo"
    request = openai_server.requests[-1].body
    assert request["model"] == "memory-model"
    assert "When does the ferry to Oslo leave?" in request["messages"][-1]["content"]
    conversing.round("And back?")
    assert len(conversing.due_of("title")) == 1


def test_followers_are_told_when_work_begins_and_ends(conversing: Conversing) -> None:
    conversing.round("When does the ferry to Oslo leave?")
    before = read_news(conversing.services.redis, None, 10)
    assert before is not None
    write(conversing)
    news = read_news(conversing.services.redis, before.position, 10)
    assert conversing.conversation_id is not None
    running = JobChange(USER, conversing.conversation_id, "title", is_running=True)
    assert news is not None
    change = Change(USER, conversing.conversation_id)
    assert news.changes == (running, change, running._replace(is_running=False))
    assert news.users == frozenset()


def test_a_round_that_failed_gets_none_yet(conversing: Conversing) -> None:
    current_round = conversing.open()
    conversing.close(current_round, Outcome(status="failed", content="", error="away"))
    assert conversing.due_of("title") == []
    conversing.round("Again.")
    assert len(conversing.due_of("title")) == 1


@pytest.mark.parametrize("mode", ["off", "passive"])
def test_off_the_record_no_title_is_made(conversing: Conversing, mode: Mode) -> None:
    conversing.close(conversing.open(mode=mode))
    let_time_pass(conversing.services)
    sweep(conversing.services)
    assert len(list_jobs(conversing.services)) == (0 if mode == "off" else 2)


def test_what_the_user_calls_it_while_the_job_runs_stays(conversing: Conversing) -> None:
    conversing.round()
    run_sql(conversing.services, RENAME, title="Mine")
    write(conversing)
    assert title_of(conversing) == "Mine"
    assert [job.kind for job in list_jobs(conversing.services, "completed")] == ["title"]


def test_a_title_that_the_user_takes_away_does_not_come_back(conversing: Conversing) -> None:
    conversing.round()
    write(conversing)
    run_sql(conversing.services, RENAME, title=None)
    conversing.round()
    let_time_pass(conversing.services)
    sweep(conversing.services)
    assert len([job for job in list_jobs(conversing.services) if job.kind == "title"]) == 1


def test_an_answer_that_is_no_title_is_not_asked_for_again(
    conversing: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["title"] = Scripted(text="I cannot name this. " * 20)
    conversing.round()
    write(conversing)
    conversing.round()
    assert title_of(conversing) is None
    assert len(conversing.due_of("title")) == 1


def test_the_sweep_claims_for_a_conversation_whose_job_failed(
    conversing: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["title"] = Scripted(status=401)
    conversing.round()
    write(conversing)
    assert [job.kind for job in list_jobs(conversing.services, "failed")] == ["title"]
    let_time_pass(conversing.services)
    sweep(conversing.services)
    waiting = [job for job in list_jobs(conversing.services, "processing") if job.kind == "title"]
    openai_server.by_task["title"] = Scripted(text="Ferry to Oslo")
    do_job(conversing.services, "title", waiting[0].job_id)
    assert title_of(conversing) == "Ferry to Oslo"


@pytest.mark.parametrize(("title", "after"), [(None, None), ("Mine", "Mine")])
def test_a_title_made_of_what_is_written_anew_goes_and_the_users_stays(
    conversing: Conversing, title: str | None, after: str | None
) -> None:
    conversing.round()
    write(conversing)
    if title:
        run_sql(conversing.services, RENAME, title=title)
    conversation_id = conversing.conversation_id
    assert conversation_id is not None
    with as_owner(conversing.services) as connection:
        retry = Retry(user_id=USER, conversation_id=conversation_id, sequence=1)
        current_round = open_round(connection, retry, conversing.services.settings)
    assert title_of(conversing) == after
    conversing.close(current_round)
    assert len(conversing.due_of("title")) == (1 if title else 2)
    assert (
        find_breaches(conversing.services.database, conversing.services.settings, quiet=False) == []
    )
