"""The summary job: what it reads, what it keeps, and what it does when the model misbehaves."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

import pytest

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.models import Summary
from shared.services import Services
from shared.store import summaries
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.services import as_owner


@pytest.fixture
def talk(wired_product: Services) -> Callable[[int], Conversing]:
    def play(rounds: int) -> Conversing:
        conversing = Conversing(wired_product)
        for number in range(rounds):
            conversing.round(f"Message {2 * number}.")
        return conversing

    return play


def points(*spans: tuple[int, int]) -> str:
    items = [{"text": f"Said {a} to {b}.", "first": a, "last": b} for a, b in spans]
    return json.dumps({"points": items})


def chain(conversing: Conversing) -> list[Summary]:
    assert conversing.conversation_id is not None
    with as_owner(conversing.services) as connection:
        return summaries.list_summaries(connection, conversing.conversation_id)


def test_the_model_reads_only_what_the_base_has_not_read(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(Scripted(text=points((0, 5))), Scripted(text=points((6, 7))))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    conversing.round("Message 6.")
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    request = openai_server.requests[-1].body
    assert request["model"] == "memory-model"
    transcript = request["messages"][-1]["content"]
    assert "Message 6." in transcript
    assert "Message 4." not in transcript
    assert "Said 0 to 5." not in transcript
    newest = chain(conversing)[0]
    assert [(p.first, p.last) for p in newest.points] == [(0, 5), (6, 7)]
    assert newest.memory_text == "- [0-5] Said 0 to 5.\n- [6-7] Said 6 to 7."


def test_points_that_the_window_has_left_are_dropped_whatever_the_model_does(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(Scripted(text=points((0, 1), (2, 5))))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    skip_to(conversing, rounds=8)
    openai_server.script(Scripted(text=points((0, 99))))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    newest = chain(conversing)[0]
    assert (newest.start_sequence, newest.end_sequence) == (2, 15)
    assert [(p.first, p.last) for p in newest.points] == [(2, 5), (6, 15)]


def skip_to(conversing: Conversing, rounds: int) -> None:
    """Rounds up to this many, as if the summaries in between had never been claimed."""
    while len(conversing.due_of("summary")) < rounds - 2:
        with as_owner(conversing.services) as connection:
            execute(connection, "DELETE FROM memory WHERE status = 'processing'")
        conversing.round()


def test_an_answer_that_is_twice_no_json_ends_in_the_stand_ins_extract(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(Scripted(text="They said hello."), Scripted(text="They said\nhello."))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    newest = chain(conversing)[0]
    assert (newest.status, newest.is_fallback) == ("completed", True)
    assert [(point.first, point.last) for point in newest.points] == [(0, 1), (2, 3), (4, 5)]
    assert "Message 4." in newest.points[-1].text
    assert len(openai_server.requests) == 2


def test_old_points_with_new_numbers_and_said_twice_are_dropped(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    for number, text in enumerate(("Message 0 was said.", "Message 2 was said.")):
        first = conversing.due_of("summary")[-1]
        repeated = {"text": "Message 0 was said.", "first": 6, "last": 7}
        new = {"text": text, "first": 6 * number, "last": 6 * number + 1}
        answer = json.dumps({"points": [repeated, new, new]})
        openai_server.by_task["summary"] = Scripted(text=answer)
        do_job(wired_product, "summary", first)
        conversing.round("Message 2 was said by me.")
    texts = [point.text for point in chain(conversing)[1].points]
    assert texts == ["Message 0 was said.", "Message 2 was said."]


def test_a_passing_fault_leaves_the_job_to_the_sweep(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(Scripted(status=429, retry_after="7"))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    newest = chain(conversing)[0]
    assert (newest.status, newest.attempts) == ("processing", 1)
    assert newest.error


def test_a_lasting_fault_fails_the_job_and_the_next_round_claims_anew(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(*[Scripted(status=401)] * 4)
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    assert chain(conversing)[0].status == "failed"
    conversing.round()
    newest = chain(conversing)[0]
    assert (newest.status, newest.start_sequence, newest.end_sequence) == ("processing", 0, 7)
    assert newest.base_memory_id is None


def test_a_job_done_twice_is_done_once(
    wired_product: Services, openai_server: FakeOpenAI, talk: Callable[[int], Conversing]
) -> None:
    conversing = talk(3)
    openai_server.script(Scripted(text=points((0, 5))), Scripted(text=points((0, 1))))
    for _ in range(2):
        do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    assert len(openai_server.requests) == 1
    assert len(chain(conversing)) == 1


def test_the_documents_log_lines(
    wired_product: Services,
    openai_server: FakeOpenAI,
    talk: Callable[[int], Conversing],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, logger="shared")
    conversing = talk(3)
    conversation_id = conversing.conversation_id
    openai_server.script(Scripted(text=points((0, 5))), Scripted(text=points((6, 15))))
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    skip_to(conversing, rounds=9)
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    lines = [record.getMessage() for record in caplog.records]
    assert any(
        line.startswith(f"Summarized messages 0-5 for {conversation_id} in ") for line in lines
    )
    assert f"Sliding window: dropping seq 0-3 for {conversation_id}" in lines
    assert any(line.startswith("Status updated: summary") for line in lines)
    do_job(wired_product, "summary", conversing.due_of("summary")[-1])
    assert "Already in progress or done" in caplog.text
