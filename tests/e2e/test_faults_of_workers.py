"""Workers and beat that are replaced, killed, or lose a child. One site serves all these tests."""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from celery.platforms import EX_OK

from shared.broker.sending import send_embedding
from shared.db import fetch_rows
from shared.user_data.imports.importer import import_file
from tests.e2e.site import Site
from tests.e2e.workshop import RECOVERY_S, ROUNDS, START_S, Workshop, running_workshop
from tests.integration.conversing import USER
from tests.integration.faults.answers import answer_well
from tests.integration.worker import count_rows, list_jobs
from tests.services import Services, as_owner
from tests.waiting import wait_for

IMPORTED = 6
JOB_S = 3.0  # shorter than a stopping worker waits, as long as its lease
UNACKNOWLEDGED = "unacked_index"  # kombu's, of what workers have taken

BEGUN = """
    SELECT source_key IS NULL AS is_live, min(begun_at) AS first, max(begun_at) AS last
    FROM jobs JOIN conversations USING (conversation_id)
    WHERE source_key IS NOT NULL OR kind || job_id = ANY(%(live)s)
    GROUP BY is_live
"""


@pytest.fixture(scope="module")
def workshop(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    with running_workshop(services, tmp_path_factory.mktemp("workshop")) as running:
        yield running


def restore_unacknowledged(app: Celery) -> None:
    """What kombu does in each worker every now and then."""
    with app.connection_for_read() as connection, connection.channel() as channel:
        channel.qos.restore_visible(num=100)


def past_conversations(count: int) -> io.BytesIO:
    messages = [
        {"role": role, "content": f"{role} says {number}"}
        for number in range(ROUNDS)
        for role in ("user", "assistant")
    ]
    return io.BytesIO(
        json.dumps([{"id": f"past-{n}", "messages": messages} for n in range(count)]).encode()
    )


def child_of(site: Site, name: str) -> int:
    """The first process that this one has forked; 0: none yet."""
    pid = site.running[name].pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else 0


def test_a_worker_killed_mid_job_is_followed_by_one_of_another_name_within_its_lease(
    workshop: Workshop,
) -> None:
    workshop.hold_up()
    killed, repeated = workshop.worker.hostname(), workshop.count_repeated()
    workshop.worker.kill()
    answer_well(workshop.model)
    wait_for(lambda: workshop.count_running() == 0, RECOVERY_S, workshop.worker.logs)
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S, workshop.worker.logs)
    assert workshop.worker.hostname() != killed
    assert workshop.count_repeated() == repeated + 1
    assert list_jobs(workshop.product, "failed") == []


def test_what_the_broker_delivers_again_after_a_kill_changes_nothing(workshop: Workshop) -> None:
    workshop.hold_up()
    workshop.worker.kill()
    redis = workshop.product.redis
    tags_at_kill = set(redis.zrange(UNACKNOWLEDGED, 0, -1))
    answer_well(workshop.model)
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
    tags = tags_at_kill & set(redis.zrange(UNACKNOWLEDGED, 0, -1))  # held by nobody any more
    assert tags
    before = count_rows(workshop.product), workshop.count_repeated()
    redis.zadd(UNACKNOWLEDGED, dict.fromkeys(map(str, tags), 1))  # seconds since 1970: long overdue
    restore_unacknowledged(workshop.product.broker)
    wait_for(lambda: not tags & set(redis.zrange(UNACKNOWLEDGED, 0, -1)), START_S)
    wait_for(workshop.is_done, START_S, workshop.worker.logs)
    assert (count_rows(workshop.product), workshop.count_repeated()) == before


def test_a_worker_takes_live_jobs_before_an_import_that_was_sent_earlier(
    workshop: Workshop,
) -> None:
    wait_for(workshop.is_done, START_S)
    workshop.worker.kill()
    import_file(workshop.product, USER, past_conversations(IMPORTED))
    live = [f"{due.kind}{due.job_id}" for due in workshop.talk_and_send().due]
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
    with as_owner(workshop.product) as connection:
        rows = fetch_rows(connection, BEGUN, live=live)
    imported, live_row = sorted(rows, key=lambda row: row["is_live"])
    assert live_row["last"] < imported["first"]


def test_a_new_version_takes_over_while_the_old_one_finishes_its_job(workshop: Workshop) -> None:
    answer_well(workshop.model, delay_s=JOB_S)
    repeated = workshop.count_repeated()
    workshop.talk_and_send()
    wait_for(workshop.count_running, START_S, workshop.worker.logs)
    old = workshop.worker
    workshop.add_worker()
    old.kill("SIGTERM")
    wait_for(lambda: not list_jobs(workshop.product, "processing"), START_S)
    assert workshop.count_repeated() == repeated
    # 1 would mean that a job was still running after the 8 s that a stopping worker waits: Celery
    # then wants to end it, which threads cannot be, and calls that an unrecoverable error.
    assert old.container.exit_code == EX_OK
    answer_well(workshop.model)
    assert list_jobs(workshop.product, "failed") == []


def test_a_worker_that_is_told_twice_to_stop_ends_without_an_error_and_loses_nothing(
    workshop: Workshop,
) -> None:
    wait_for(workshop.is_done, START_S)
    answer_well(workshop.model, delay_s=JOB_S)
    workshop.talk_and_send()
    wait_for(workshop.count_running, START_S, workshop.worker.logs)
    worker = workshop.worker
    process = workshop.site.running[worker.container.name]
    process.send_signal(signal.SIGTERM)
    wait_for(lambda: "Cold shutdown" in worker.logs()[-4000:], START_S, worker.logs)
    worker.kill("SIGTERM")
    workshop.add_worker()
    wait_for(lambda: not list_jobs(workshop.product, "processing"), START_S + RECOVERY_S)
    assert worker.container.exit_code in {EX_OK, -signal.SIGTERM}
    assert "NotImplementedError" not in workshop.site.log(worker.container.name)()
    answer_well(workshop.model)
    assert list_jobs(workshop.product, "failed") == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for children in /proc")
def test_a_worker_child_killed_at_its_work_is_followed_by_another(workshop: Workshop) -> None:
    workshop.talk()
    child = wait_for(lambda: child_of(workshop.site, "worker-embed"), START_S)
    send_embedding(workshop.product.broker)
    os.kill(child, signal.SIGKILL)
    wait_for(workshop.is_done, 2 * START_S, workshop.site.log("worker-embed"))
    wait_for(lambda: child_of(workshop.site, "worker-embed") not in (0, child))
    assert workshop.site.running["worker-embed"].poll() is None


def test_with_beat_killed_nothing_is_lost_and_the_next_one_sends_what_was_left(
    workshop: Workshop,
) -> None:
    workshop.site.kill("beat")
    workshop.talk()  # claimed, and the connection was cut before the send
    assert not workshop.is_done()
    workshop.site.start("beat")
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
