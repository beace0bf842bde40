"""A job that gave way to a reply is continued, and not begun from nothing."""

from __future__ import annotations

import re
import threading
from typing import LiteralString

import pytest

from shared.db import Row, fetch_row
from shared.derivations.claims import claim_kind
from shared.derivations.kinds import do_job
from shared.llm import pace_of
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS
from shared.store.lease.statements import statement_for
from shared.user_data.erasure.messages import Selection, erase_selection
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import USER, Conversing
from tests.integration.faults.answers import ANSWERS
from tests.integration.worker import run_sql
from tests.services import as_owner
from tests.waiting import PATIENCE_S, wait_for

ROUNDS = 10
HANGS = Scripted(delay_s=300)
KINDS: tuple[Kind, ...] = ("summary", "episode", "facts")
FAIL_ALL: dict[Kind, LiteralString] = {
    "summary": "UPDATE memory SET status = 'failed'",
    "episode": "UPDATE episodic_memory SET status = 'failed'",
    "facts": "UPDATE fact_extractions SET status = 'failed'",
}
ROW = "SELECT status, to_jsonb(job) ->> 'parts' AS parts FROM {table} AS job"


def talk(wired: Conversing, kind: Kind, words: int) -> int:
    """A job of the kind about rounds, of whose messages some fit into one call, but not all."""
    for number in range(ROUNDS):
        wired.round(f"I live in Oslo, {number}. " + "and so on " * (words // 3))
    assert wired.conversation_id is not None
    run_sql(wired.services, FAIL_ALL[kind])  # those that were due after fewer rounds
    with wired.services.database.transaction(user=USER) as connection:
        last = 2 * ROUNDS - 1
        due = claim_kind(connection, kind, wired.conversation_id, last, wired.services.settings)
    assert due is not None
    return due.job_id


def read_row(wired: Conversing, kind: Kind, job_id: int) -> Row:
    statement = statement_for(DERIVATIONS[kind], ROW + " WHERE {id} = %(job_id)s")
    with as_owner(wired.services) as connection:
        row = fetch_row(connection, statement, job_id=job_id)
    assert row is not None
    return row


def read_messages(server: FakeOpenAI, kind: Kind) -> list[list[int]]:
    """The sequence numbers that each request of the kind has."""
    requests = [
        request.body["messages"]
        for request in server.requests
        if f"Task: {kind}" in request.body["messages"][0]["content"]
    ]
    return [
        [int(number) for number in re.findall(r'<message seq="(\d+)"', messages[1]["content"])]
        for messages in requests
    ]


def break_off(
    wired: Conversing, kind: Kind, job_id: int, server: FakeOpenAI, *script: Scripted
) -> None:
    """Work on the job until the last scripted answer hangs, then let a round come."""
    server.script(*script)
    worker = threading.Thread(target=do_job, args=(wired.services, kind, job_id))
    hang_ups, before = len(server.hang_ups), len(server.requests)
    worker.start()
    wait_for(lambda: len(server.requests) == before + len(script))
    with wired.services.waiting_rounds().announce():
        wait_for(lambda: len(server.hang_ups) > hang_ups)
        worker.join(PATIENCE_S)
    assert not worker.is_alive()


@pytest.mark.parametrize("kind", ["episode", "summary"])
def test_finished_parts_are_not_asked_for_again(
    wired: Conversing, openai_server: FakeOpenAI, kind: Kind
) -> None:
    job_id = talk(wired, kind, 900)
    break_off(wired, kind, job_id, openai_server, ANSWERS[kind], HANGS)
    assert read_row(wired, kind, job_id)["status"] == "processing"
    [first, cut] = read_messages(openai_server, kind)
    openai_server.requests.clear()
    openai_server.by_task[kind] = ANSWERS[kind]
    do_job(wired.services, kind, job_id)
    others = read_messages(openai_server, kind)
    assert others[0][0] == cut[0] == first[-1] + 1
    read = [*first, *(sequence for part in others for sequence in part)]
    assert read == list(range(read[0], read[-1] + 1))
    row = read_row(wired, kind, job_id)
    assert (row["status"], row["parts"]) == ("completed", None)


def test_what_was_read_goes_with_its_messages(wired: Conversing, openai_server: FakeOpenAI) -> None:
    job_id = talk(wired, "episode", 900)
    break_off(wired, "episode", job_id, openai_server, ANSWERS["episode"], HANGS)
    assert "They talked." in read_row(wired, "episode", job_id)["parts"]
    assert wired.conversation_id is not None
    erase_selection(
        wired.services, USER, Selection(conversation_id=wired.conversation_id, sequence=0)
    )
    row = read_row(wired, "episode", job_id)
    assert (row["status"], row["parts"]) == ("failed", None)


@pytest.mark.parametrize("kind", ["facts", "summary"])
def test_a_slow_server_is_asked_about_a_few_messages_at_once(
    wired: Conversing, openai_server: FakeOpenAI, kind: Kind
) -> None:
    job_id = talk(wired, kind, 9)
    openai_server.by_task[kind] = ANSWERS[kind]
    pace_of(openai_server.base_url).written_per_s = 5
    do_job(wired.services, kind, job_id)
    sizes = [len(part) for part in read_messages(openai_server, kind)]
    assert sizes[0] < ROUNDS / 2
