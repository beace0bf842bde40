"""A model that is slow, absent, or answers nonsense: to replies, and to background jobs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.derivations.kinds import do_job
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well, answer_with
from tests.integration.web.conftest import Browser, read_events
from tests.integration.worker import count_rows, expire_leases, list_jobs, run_sql, work_off
from tests.waiting import wait_for

ROUNDS = 4
TEN_TIMES = "Lorem ipsum dolor sit amet. " * 4000
BROKEN_REPLIES = [
    pytest.param(Scripted(delay_s=8), 504, "failed", id="time-out"),
    pytest.param(Scripted(status=429, retry_after="30"), 503, "failed", id="429"),
    pytest.param(Scripted(status=500), 503, "failed", id="500"),
    pytest.param(Scripted(text="one two three", reset_after=0), 503, "failed", id="reset at once"),
    pytest.param(Scripted(text="one two three", reset_after=2), 503, "partial", id="reset"),
    pytest.param(Scripted(text="one two", finish_reason=None), 503, "partial", id="just ends"),
    pytest.param(Scripted(text=""), 503, "failed", id="empty"),
]
BROKEN_ANSWERS = [
    pytest.param(Scripted(text="{not json"), id="broken JSON"),
    pytest.param(Scripted(text=""), id="empty"),
    pytest.param(Scripted(text="[]"), id="another form"),
    pytest.param(Scripted(text="Извините, я не понимаю."), id="another language"),
    pytest.param(Scripted(text=TEN_TIMES), id="ten times too long"),
    pytest.param(
        Scripted(text=json.dumps({"points": [{"text": TEN_TIMES, "first": -9, "last": 10**12}]})),
        id="out of range",
    ),
]


def breaches(product: Services, *, quiet: bool = False) -> list[object]:
    return [*find_breaches(product.database, product.settings, quiet=quiet)]


@pytest.mark.parametrize(("answer", "status", "reply_status"), BROKEN_REPLIES)
def test_a_round_survives_its_model(
    wired: Browser, openai_server: FakeOpenAI, answer: Scripted, status: int, reply_status: str
) -> None:
    openai_server.script(answer)
    refused = wired.chat("Tell me.")
    conversation_id = refused.get_json()["conversation_id"]
    assert refused.status_code == status
    messages = wired.messages(conversation_id)
    assert [m["content"] for m in messages if m["role"] == "user"] == ["Tell me."]
    assert messages[1]["status"] == reply_status
    assert wired.chat("And now?", conversation_id=conversation_id).status_code == 200
    assert len(wired.messages(conversation_id)) == 4
    assert breaches(wired.context.services) == []


@pytest.mark.parametrize("read", range(5))
def test_a_client_that_leaves_at_any_step_finds_the_whole_reply(
    wired: Browser, openai_server: FakeOpenAI, read: int
) -> None:
    openai_server.script(Scripted(text="one two three four", piece_delay_s=0.05))
    answer = wired.chat("Count.", stream=True)
    events = read_events(answer)
    for _ in range(read):
        next(events)
    events.close()  # type: ignore[attr-defined]
    answer.close()
    conversation_id = answer.headers["X-Conversation-Id"]
    wait_for(lambda: wired.messages(conversation_id)[1]["status"] != "streaming")
    assert wired.messages(conversation_id)[1]["content"] == "one two three four"
    assert breaches(wired.context.services) == []


@pytest.mark.parametrize("answer", BROKEN_ANSWERS)
def test_memory_survives_its_model(
    product: Services, conversing: Conversing, openai_server: FakeOpenAI, answer: Scripted
) -> None:
    """Whatever it answers: no invariant breaks, and what was written fits its place."""
    answer_with(openai_server, answer)
    for _ in range(ROUNDS):
        conversing.round("I live in Oslo.")
    for due in list_jobs(product):
        do_job(product, due.kind, due.job_id)
    assert breaches(product) == []
    answer_well(openai_server)
    work_off(product)
    assert breaches(product, quiet=True) == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Scripted(status=500), id="500"),
        pytest.param(Scripted(status=429, retry_after="7"), id="429"),
    ],
)
def test_ten_minutes_without_a_memory_model_lose_nothing(
    wired: Browser, openai_server: FakeOpenAI, answer: Scripted
) -> None:
    """No send fails, nothing is marked as done, and afterwards the backlog drains."""
    product = wired.context.services
    answer_with(openai_server, answer)
    conversation_id = None
    for number in range(8):
        place: dict[str, Any] = {"conversation_id": conversation_id} if conversation_id else {}
        response = wired.chat(f"I live in Oslo, number {number}.", **place)
        assert response.status_code == 200
        conversation_id = response.get_json()["conversation_id"]
        work_for_a_while(product)
    assert list_jobs(product, "completed") == []
    assert {due.kind for due in list_jobs(product, "failed")} == {"summary", "facts", "title"}
    assert count_rows(product)["messages"] == 16
    openai_server.requests.clear()
    answer_well(openai_server)
    work_off(product)
    assert breaches(product, quiet=True) == []
    read = "".join(str(request.body["messages"]) for request in openai_server.requests)
    assert all(f"number {number}." in read for number in range(8))


def test_a_job_that_fails_for_good_blocks_neither_its_own_kind_nor_others(
    product: Services, openai_server: FakeOpenAI
) -> None:
    answer_well(openai_server)
    broken, well = Conversing(product), Conversing(product)
    for talk in (broken, well):
        for _ in range(ROUNDS):
            talk.round("I live in Oslo.")
    run_sql(
        product,
        "UPDATE memory SET attempts = 5, lease_until = now() - interval '1 s'"
        " WHERE conversation_id = %(own)s",
        own=broken.conversation_id,
    )
    sweep(product)
    assert [due.kind for due in list_jobs(product, "failed")] == ["summary"]
    for due in list_jobs(product, "processing"):
        do_job(product, due.kind, due.job_id)
    assert len(list_jobs(product, "completed")) == 7
    broken.round("Still there?")
    work_off(product)
    assert breaches(product, quiet=True) == []


def work_for_a_while(product: Services) -> None:
    """Two attempts of whatever is due."""
    for _ in range(2):
        expire_leases(product)
        sweep(product)
        for due in list_jobs(product, "processing"):
            do_job(product, due.kind, due.job_id)
