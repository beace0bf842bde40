"""Beat and the workers, run in the test's own process, one step at a time."""

from __future__ import annotations

from collections.abc import Callable

from shared.broker.queues import count_waiting
from shared.db import execute, fetch_row, fetch_rows
from shared.derivations.kinds import do_job
from shared.maintenance.sweep import catch_up, sweep
from shared.models import Due, Kind
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services
from shared.store.rows import read_conversation_id
from tests.services import as_owner

Work = Callable[[Services, Kind, int], None]
JOBS = """
    SELECT kind, job_id, conversation_id FROM jobs
    WHERE status LIKE %(status)s ORDER BY job_id
"""
COUNTS = """
    SELECT (SELECT count(*) FROM users) AS users,
           (SELECT count(*) FROM conversations) AS conversations,
           (SELECT count(*) FROM messages) AS messages,
           (SELECT count(*) FROM memory) AS memory,
           (SELECT count(*) FROM episodic_memory) AS episodic_memory,
           (SELECT count(*) FROM fact_extractions) AS fact_extractions,
           (SELECT count(*) FROM titles) AS titles,
           (SELECT count(*) FROM structured_facts) AS structured_facts
"""
SHIFT_LEASES = """
    UPDATE memory SET lease_until = now() + %(by)s::interval WHERE status = 'processing';
    UPDATE episodic_memory SET lease_until = now() + %(by)s::interval WHERE status = 'processing';
    UPDATE fact_extractions SET lease_until = now() + %(by)s::interval WHERE status = 'processing';
    UPDATE titles SET lease_until = now() + %(by)s::interval WHERE status = 'processing';
    UPDATE tidyings SET lease_until = now() + %(by)s::interval WHERE status = 'processing';
    UPDATE messages SET lease_until = now() + %(by)s::interval WHERE status = 'streaming';
"""
AGE = """
    UPDATE conversations SET updated_at = now() - interval '10 min';
    UPDATE memory SET finished_at = now() - interval '10 min';
    UPDATE episodic_memory SET finished_at = now() - interval '10 min';
    UPDATE fact_extractions SET finished_at = now() - interval '10 min';
    UPDATE titles SET finished_at = now() - interval '10 min';
    UPDATE tidyings SET finished_at = now() - interval '10 min';
"""
EMBED = """
    UPDATE episodic_memory
    SET embedding = array_fill(0.1::real, ARRAY[384])::vector, embedding_model = 'any'
    WHERE status = 'completed';
    DELETE FROM unembedded_messages;
    DELETE FROM uncut_files;
    UPDATE file_passages
    SET embedding = array_fill(0.1::real, ARRAY[384])::halfvec, embedding_model = 'any'
    WHERE NOT is_off_record;
"""
QUEUES_OF_JOBS = {derivation.queue for derivation in DERIVATIONS.values()}
MANY = 100


def run_sql(product: Services, sql: str, **args: object) -> None:
    with as_owner(product) as connection:
        execute(connection, sql, **args)


def list_jobs(product: Services, status: str = "%") -> list[Due]:
    with as_owner(product) as connection:
        rows = fetch_rows(connection, JOBS, status=status)
    return [
        Due(kind=row["kind"], job_id=row["job_id"], conversation_id=read_conversation_id(row))
        for row in rows
    ]


def count_rows(product: Services) -> dict[str, int]:
    """The rows of each table."""
    with as_owner(product) as connection:
        return dict(fetch_row(connection, COUNTS) or {})


def count_queued(product: Services) -> int:
    """Tasks that were sent and not taken. Embedding does not count: it has no row."""
    return sum(count_waiting(product.broker, QUEUES_OF_JOBS).values())


def shift_leases(product: Services, by: str) -> None:
    """Make all leases end at an interval from now."""
    run_sql(product, SHIFT_LEASES, by=by)


def expire_leases(product: Services) -> None:
    shift_leases(product, "-1 s")


def let_time_pass(product: Services) -> None:
    """Let leases run out, conversations go quiet, and failures be long ago."""
    expire_leases(product)
    run_sql(product, AGE)


def embed_all(product: Services) -> None:
    """Give every text some vector; which one does not matter."""
    run_sql(product, EMBED)


def work_off(product: Services, work: Work = do_job) -> None:
    """Sweep and work until nothing is left to do.

    A round that the sweep has closed makes its conversation active again, so the sweep must find
    nothing a second time, once that is quiet, too.
    """
    idle = 0
    for _ in range(MANY):
        let_time_pass(product)
        sweep(product)
        catch_up(product)
        jobs = list_jobs(product, "processing")
        idle = 0 if jobs else idle + 1
        if idle == 2:
            embed_all(product)
            return
        for due in jobs:
            work(product, due.kind, due.job_id)
    raise AssertionError(f"never done: {jobs}")
