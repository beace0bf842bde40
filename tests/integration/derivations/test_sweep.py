"""The sweep puts back what was left behind."""

from __future__ import annotations

from typing import Any

from shared.db import execute, fetch_row
from shared.derivations.kinds import do_job
from shared.ephemeral.reply_log import ReplyLog
from shared.maintenance.sweep import catch_up, sweep
from shared.models import Message, Outcome
from shared.models.job_kinds import SUMMARY
from shared.rounds.reply_faults import INTERRUPTED
from shared.services import Services
from shared.store import messages
from tests.integration.conversing import Conversing
from tests.services import as_owner


def run(product: Services, sql: str, **args: object) -> None:
    with as_owner(product) as connection:
        execute(connection, sql, **args)


def expire_rounds(product: Services) -> None:
    run(
        product,
        "UPDATE messages SET lease_until = now() - interval '1 s' WHERE status = 'streaming'",
    )


def grow_quiet(product: Services, seconds: int = 60) -> None:
    run(
        product,
        "UPDATE conversations SET updated_at = now() - make_interval(secs => %(s)s)",
        s=seconds,
    )


def reply_of(product: Services, conversing: Conversing, sequence: int) -> Message:
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        return messages.get_message(connection, conversing.conversation_id, sequence)


def newest(product: Services) -> Any:
    with as_owner(product) as connection:
        return fetch_row(connection, "SELECT * FROM memory ORDER BY memory_id DESC LIMIT 1")


def test_an_abandoned_round_is_closed_with_what_it_had_written(
    product: Services, conversing: Conversing
) -> None:
    open_round = conversing.open("Tell me a story.")
    log = ReplyLog(product.redis, open_round.attempt)
    log.catch_up("Once")
    log.catch_up("Once upon")
    sweep(product)
    assert reply_of(product, conversing, 1).status == "streaming"
    expire_rounds(product)
    sweep(product)
    reply = reply_of(product, conversing, 1)
    assert (reply.status, reply.content) == ("partial", "Once upon")
    assert (reply.error, reply.finish_reason) == (INTERRUPTED.message, "error")
    late = conversing.close(open_round, Outcome(status="complete", content="Too late."))
    assert late is None
    assert conversing.round("And then?").sequence == 3


def test_an_abandoned_round_without_a_word_has_failed(
    product: Services, conversing: Conversing
) -> None:
    conversing.open("Tell me a story.")
    expire_rounds(product)
    sweep(product)
    assert reply_of(product, conversing, 1).status == "failed"


def test_a_job_whose_worker_died_is_done_by_the_next(
    product: Services, conversing: Conversing
) -> None:
    for _ in range(3):
        conversing.round()
    [memory_id] = conversing.due_of("summary")
    assert conversing.begin(SUMMARY, memory_id) is not None
    do_job(product, "summary", memory_id)
    assert newest(product)["status"] == "processing"
    run(product, "UPDATE memory SET lease_until = now() - interval '1 s'")
    sweep(product)
    assert newest(product)["fencing_token"] is None
    do_job(product, "summary", memory_id)
    assert (newest(product)["status"], newest(product)["attempts"]) == ("completed", 2)


def test_a_quiet_conversation_that_is_behind_is_claimed_once(
    product: Services, conversing: Conversing
) -> None:
    for _ in range(4):
        conversing.round()
    [first] = conversing.due_of("summary")
    do_job(product, "summary", first)
    sweep(product)
    assert newest(product)["memory_id"] == first
    grow_quiet(product)
    sweep(product)
    sweep(product)
    claimed = newest(product)
    assert (claimed["end_sequence"], claimed["status"]) == (7, "processing")
    do_job(product, "summary", claimed["memory_id"])
    sweep(product)
    assert newest(product)["memory_id"] == claimed["memory_id"]


def test_one_that_was_quiet_for_days_is_caught_up_by_the_rare_sweep(
    product: Services, conversing: Conversing
) -> None:
    for _ in range(4):
        conversing.round()
    do_job(product, "summary", conversing.due_of("summary")[0])
    grow_quiet(product, 3 * 86_400)
    sweep(product)
    assert newest(product)["end_sequence"] == 5
    catch_up(product)
    assert newest(product)["end_sequence"] == 7


def test_only_what_the_rare_sweep_claims_waits_behind_live_jobs(
    product: Services, conversing: Conversing
) -> None:
    for _ in range(4):
        conversing.round()
    do_job(product, "summary", conversing.due_of("summary")[0])
    grow_quiet(product)
    sweep(product)
    recent = newest(product)
    assert (recent["end_sequence"], recent["in_backlog"]) == (7, False)
    run(product, "DELETE FROM memory WHERE status = 'processing'")
    run(product, "DELETE FROM fact_extractions")
    catch_up(product)
    old = newest(product)
    assert (old["end_sequence"], old["in_backlog"]) == (7, True)
    with as_owner(product) as connection:
        facts = fetch_row(connection, "SELECT in_backlog FROM fact_extractions")
    assert facts == {"in_backlog": True}


def test_what_has_just_failed_is_left_alone_for_a_while(
    product: Services, conversing: Conversing
) -> None:
    for _ in range(3):
        conversing.round()
    run(product, "UPDATE memory SET status = 'failed', finished_at = now()")
    grow_quiet(product)
    sweep(product)
    assert newest(product)["status"] == "failed"
    run(product, "UPDATE memory SET finished_at = now() - interval '2 min'")
    sweep(product)
    assert newest(product)["status"] == "processing"


def test_nothing_is_made_of_conversations_that_are_off(product: Services) -> None:
    quiet = Conversing(product)
    for _ in range(4):
        quiet.close(quiet.open(mode="off"))
    grow_quiet(product)
    sweep(product)
    assert quiet.due == []
    assert newest(product) is None
