"""The `processing` row as guard, outbox and lease."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from shared.db import execute, fetch_row
from shared.models import Claim, ConversationId, Due, Span
from shared.models.job_kinds import SUMMARY
from shared.services import Services
from shared.store import summaries
from shared.store.lease import claims, overdue
from tests.integration.conversing import Conversing
from tests.services import as_owner

SPAN = Span(start=0, end=5)


def claim(product: Services, conversation_id: ConversationId) -> int | None:
    with as_owner(product) as connection:
        due = summaries.claim_summary(connection, conversation_id, SPAN, grace_s=10)
    return due.job_id if due else None


def start_job(product: Services, conversing: Conversing) -> int:
    conversation_id = conversing.round().conversation.conversation_id
    job_id = claim(product, conversation_id)
    assert job_id is not None
    return job_id


def expire(product: Services, job_id: int) -> None:
    with as_owner(product) as connection:
        sql = "UPDATE memory SET lease_until = now() - interval '1 s' WHERE memory_id = %(id)s"
        execute(connection, sql, id=job_id)


DONE = summaries.NewSummary(
    memory_text="-", points=(), model="m", prompt_version="1", generation_time_ms=1
)


def complete(product: Services, job_claim: Claim) -> bool:
    with as_owner(product) as connection:
        return summaries.complete_summary(connection, job_claim, DONE)


def status_of(product: Services, job_id: int) -> tuple[str, int, str | None]:
    with as_owner(product) as connection:
        row = fetch_row(connection, "SELECT * FROM memory WHERE memory_id = %(id)s", id=job_id)
    assert row is not None
    return row["status"], row["attempts"], row["error"]


def test_of_32_claims_at_once_one_wins(product: Services, conversing: Conversing) -> None:
    conversation_id = conversing.round().conversation.conversation_id
    together = Barrier(32)

    def race(_: int) -> int | None:
        together.wait()
        return claim(product, conversation_id)

    with ThreadPoolExecutor(32) as threads:
        results = list(threads.map(race, range(32)))
    assert len([job for job in results if job is not None]) == 1
    with as_owner(product) as connection:
        row = fetch_row(connection, "SELECT count(*) AS n FROM memory WHERE status = 'processing'")
    assert row is not None
    assert row["n"] == 1


def test_of_32_begins_at_once_one_wins(product: Services, conversing: Conversing) -> None:
    job_id = start_job(product, conversing)
    together = Barrier(32)

    def race(_: int) -> Claim | None:
        together.wait()
        return conversing.begin(SUMMARY, job_id)

    with ThreadPoolExecutor(32) as threads:
        won = [job_claim for job_claim in threads.map(race, range(32)) if job_claim]
    assert len(won) == 1
    assert won[0].attempts == 1


def test_a_job_whose_lease_is_over_may_be_begun_again_and_the_first_worker_is_fenced_out(
    product: Services, conversing: Conversing
) -> None:
    job_id = start_job(product, conversing)
    first = conversing.begin(SUMMARY, job_id)
    assert first is not None
    assert conversing.begin(SUMMARY, job_id) is None
    expire(product, job_id)
    second = conversing.begin(SUMMARY, job_id)
    assert second is not None
    assert second.fencing_token > first.fencing_token
    assert complete(product, first) is False
    assert complete(product, second) is True
    assert complete(product, second) is False
    assert conversing.begin(SUMMARY, job_id) is None


def test_renewing_keeps_a_lease_and_tells_which_are_lost(
    product: Services, conversing: Conversing
) -> None:
    job_claim = conversing.begin(SUMMARY, start_job(product, conversing))
    assert job_claim is not None
    expire(product, job_claim.job_id)
    with as_owner(product) as connection:
        tokens = claims.renew(connection, SUMMARY, [job_claim.fencing_token, 999_999_999], 30)
    assert tokens == {job_claim.fencing_token}
    assert conversing.begin(SUMMARY, job_claim.job_id) is None


def test_what_is_given_back_is_left_alone_until_its_time_and_then_sent_again(
    product: Services, conversing: Conversing
) -> None:
    job_claim = conversing.begin(SUMMARY, start_job(product, conversing))
    assert job_claim is not None
    with as_owner(product) as connection:
        assert claims.give_back(connection, SUMMARY, job_claim, after_s=60, error="slow down")
        assert overdue.take_overdue(connection, SUMMARY, grace_s=10, limit=10) == []
    expire(product, job_claim.job_id)
    with as_owner(product) as connection:
        due = overdue.take_overdue(connection, SUMMARY, grace_s=10, limit=10)
    assert [job.job_id for job in due] == [job_claim.job_id]
    assert complete(product, job_claim) is False


def test_a_job_whose_attempts_are_used_up_fails_and_blocks_nothing(
    product: Services, conversing: Conversing
) -> None:
    job_id = start_job(product, conversing)
    for _ in range(3):
        assert conversing.begin(SUMMARY, job_id)
        expire(product, job_id)
    with as_owner(product) as connection:
        exhausted = overdue.fail_exhausted(connection, SUMMARY, max_attempts=3, limit=10)
    assert [job.job_id for job in exhausted] == [job_id]
    assert status_of(product, job_id) == ("failed", 3, "gave up after 3 attempts")
    assert conversing.conversation_id is not None
    assert claim(product, conversing.conversation_id) is not None


def test_a_job_that_nobody_begins_is_sent_less_and_less_often(
    product: Services, conversing: Conversing
) -> None:
    job_id = start_job(product, conversing)
    waits = []
    for _ in range(6):
        expire(product, job_id)
        with as_owner(product) as connection:
            overdue.take_overdue(connection, SUMMARY, grace_s=10, limit=10)
            row = fetch_row(
                connection,
                "SELECT extract(epoch FROM lease_until - now())::float AS s FROM memory",
            )
        assert row is not None
        waits.append(round(row["s"]))
    assert waits == [20, 40, 80, 80, 80, 80]
    assert status_of(product, job_id) == ("processing", 0, None)


def urgency_when_overdue(product: Services, job_id: int) -> str:
    expire(product, job_id)
    with as_owner(product) as connection:
        [due] = overdue.take_overdue(connection, SUMMARY, grace_s=10, limit=10)
    return due.urgency


def test_an_overdue_job_is_sent_first_only_if_its_worker_is_gone(
    product: Services, conversing: Conversing
) -> None:
    job_id = start_job(product, conversing)
    assert urgency_when_overdue(product, job_id) == "live"  # nobody has begun it
    assert conversing.begin(SUMMARY, job_id)
    assert urgency_when_overdue(product, job_id) == "lost"
    job_claim = conversing.begin(SUMMARY, job_id)
    assert job_claim is not None
    with as_owner(product) as connection:
        claims.give_back(connection, SUMMARY, job_claim, after_s=60, error="slow down")
    assert urgency_when_overdue(product, job_id) == "live"


def test_a_job_of_the_backlog_stays_there_whoever_sends_it(
    product: Services, conversing: Conversing
) -> None:
    job_id = start_job(product, conversing)
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        put = claims.put_in_backlog(
            connection,
            Due(kind="summary", job_id=job_id, conversation_id=conversing.conversation_id),
        )
    assert (put.job_id, put.urgency) == (job_id, "backlog")
    assert urgency_when_overdue(product, job_id) == "backlog"
    job_claim = conversing.begin(SUMMARY, job_id)
    assert job_claim is not None
    assert job_claim.in_backlog
    assert urgency_when_overdue(product, job_id) == "backlog"


def test_two_sweepers_never_take_the_same_job(product: Services, conversing: Conversing) -> None:
    expire(product, start_job(product, conversing))
    with (
        as_owner(product) as connection,
        as_owner(product) as other,
    ):
        first = overdue.take_overdue(connection, SUMMARY, grace_s=10, limit=10)
        second = overdue.take_overdue(other, SUMMARY, grace_s=10, limit=10)
    assert (len(first), second) == (1, [])


def test_replacing_a_message_discards_what_was_made_of_it(
    product: Services, conversing: Conversing
) -> None:
    job_claim = conversing.begin(SUMMARY, start_job(product, conversing))
    assert job_claim is not None
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        assert claims.discard(connection, SUMMARY, conversing.conversation_id, 5, "later") == 1
    assert complete(product, job_claim) is False
    assert status_of(product, job_claim.job_id)[0] == "failed"
