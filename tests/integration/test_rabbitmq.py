"""The order of jobs in a real RabbitMQ, its queues, and what is sent while it is away."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from amqp.exceptions import PreconditionFailed
from celery import Celery
from kombu.exceptions import OperationalError

from shared.broker.address import ANSWER_TIMEOUT_S
from shared.broker.celery_app import make_celery
from shared.broker.queues import count_waiting, find_waiting
from shared.broker.sending import send_due, send_embedding
from shared.broker.tasks import CATCH_UP, EMBED, QUEUES, SWEEP
from shared.broker.workers import find_workers
from shared.models import ConversationId, Due, Urgency
from shared.settings import read_settings
from tests.e2e.breakable import Breakable
from tests.fakes.rabbitmq import NO_RABBITMQ, ROOT, RabbitMQ, running_rabbitmq
from tests.integration.test_broker import take_all
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(ROOT is None, reason=NO_RABBITMQ)

CONVERSATION = ConversationId("5e1f9c1e-0f3b-4c1d-9a52-0f8f6f1f2a77")
EMPTY = dict.fromkeys(QUEUES, 0)


@pytest.fixture(scope="module")
def node() -> Iterator[tuple[Breakable, str]]:
    with running_rabbitmq() as running:
        yield running


@pytest.fixture
def app(node: tuple[Breakable, str]) -> Celery:
    """As a process has it that has not connected yet. The queues are empty."""
    app = make_celery(read_settings(redis_url="redis://127.0.0.1:1/0", broker_url=node[1]))
    with app.connection_for_write() as connection:
        for queue in app.amqp.queues.values():
            queue(connection.default_channel).declare()
            queue(connection.default_channel).purge()
    return app


def job(job_id: int, urgency: Urgency = "live") -> Due:
    return Due(kind="facts", job_id=job_id, conversation_id=CONVERSATION, urgency=urgency)


def is_stopped(pid: int) -> bool:
    """Whether all threads have stopped; where there is no /proc, nobody can say."""
    threads = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)


@contextmanager
def hanging(broker: Breakable) -> Iterator[None]:
    assert broker.process is not None
    pid = broker.process.pid
    os.killpg(pid, signal.SIGSTOP)
    try:
        wait_for(lambda: is_stopped(pid))  # each thread stops by itself
        yield
    finally:
        os.killpg(broker.process.pid, signal.SIGCONT)


def test_lost_jobs_come_before_live_ones_and_these_before_a_backlog(app: Celery) -> None:
    send_due(app, [job(number, "backlog") for number in (8, 9)])
    send_due(app, [job(1), job(3), job(5, "lost")])
    assert take_all(app) == [5, 1, 3, 8, 9]


def test_what_waits_is_counted_and_one_task_to_embed_waits_at_most(app: Celery) -> None:
    send_due(
        app,
        [job(1), job(2, "backlog"), Due(kind="summary", job_id=3, conversation_id=CONVERSATION)],
    )
    for _ in range(3):
        send_embedding(app)
    app.send_task(SWEEP)
    app.send_task(CATCH_UP)
    waiting = {"facts": 2, "summaries": 1, "embeddings": 1, "maintenance": 2}
    assert find_waiting(app, QUEUES) == EMPTY | waiting
    assert {1, 2, 3, EMBED, SWEEP, CATCH_UP} == set(take_all(app))
    assert find_waiting(app, QUEUES) == EMPTY


def test_queues_and_tasks_outlive_the_server(app: Celery, node: tuple[Breakable, str]) -> None:
    send_due(app, [job(1)])
    node[0].stop()
    node[0].start()
    assert find_waiting(app, ["facts"]) == {"facts": 1}
    send_due(app, [job(3)])
    assert take_all(app) == [1, 3]


def test_a_queue_that_nobody_has_declared_holds_nothing_and_the_others_are_counted(
    app: Celery,
) -> None:
    with app.connection_for_write() as connection:
        connection.default_channel.queue_delete("episodes")
    send_due(app, [job(1)])
    assert find_waiting(app, QUEUES) == EMPTY | {"facts": 1}
    send_due(
        app, [Due(kind="episode", job_id=2, conversation_id=CONVERSATION)]
    )  # which declares it
    assert count_waiting(app, ["episodes"]) == {"episodes": 1}


def test_a_queue_without_priorities_is_refused_by_name(app: Celery) -> None:
    with app.connection_for_write() as connection, pytest.raises(PreconditionFailed, match="facts"):
        connection.default_channel.queue_declare("facts", durable=True, auto_delete=False)


def test_it_is_reached_by_tls_with_certificates_on_both_sides(
    node: tuple[Breakable, str],
) -> None:
    server = node[0].service
    assert isinstance(server, RabbitMQ)
    encrypted = make_celery(read_settings(broker_url=server.tls_url()))
    send_due(encrypted, [job(1)])
    assert find_waiting(encrypted, ["facts"]) == {"facts": 1}
    unknown = make_celery(read_settings(broker_url=server.tls_url(is_known=False)))
    with unknown.connection_for_write() as connection, pytest.raises(OperationalError):
        connection.ensure_connection(max_retries=0)


def test_without_the_server_sending_and_counting_end_at_once(
    app: Celery, node: tuple[Breakable, str]
) -> None:
    send_due(app, [job(1)])
    node[0].kill()
    began = time.monotonic()
    send_due(app, [job(3), job(5)])
    send_embedding(app)
    assert find_waiting(app, QUEUES) is None
    assert find_workers(app, 0.1) is None
    assert time.monotonic() - began < 20
    node[0].start()
    send_due(app, [job(7)])
    assert 7 in take_all(app)


def test_a_server_that_hangs_is_waited_for_once_and_sent_to_when_it_goes_on(
    app: Celery, node: tuple[Breakable, str]
) -> None:
    send_due(app, [job(1)])
    with hanging(node[0]):
        began = time.monotonic()
        send_due(app, [job(3), job(5), job(7)])
        elapsed_s = time.monotonic() - began
        assert find_waiting(app, ["facts"]) is None
    assert ANSWER_TIMEOUT_S - 1 < elapsed_s < 3 * ANSWER_TIMEOUT_S - 1
    send_due(app, [job(9)])
    assert {1, 9} <= set(take_all(app))
