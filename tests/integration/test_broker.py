"""The order of jobs in a real Redis, and which jobs are sent again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from celery import Celery
from kombu import Connection

from shared.broker.celery_app import make_celery
from shared.broker.queues import count_waiting
from shared.broker.sending import LONG_QUEUE, send_again, send_due, send_embedding
from shared.broker.tasks import EMBED, QUEUES, SWEEP
from shared.models import ConversationId, Due, Kind, Urgency
from shared.services import Services
from shared.settings import read_settings
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.valkey import Valkey
from tests.e2e.breakable import Breakable
from tests.services import private_folder
from tests.waiting import PATIENCE_S

CONVERSATION = ConversationId("5e1f9c1e-0f3b-4c1d-9a52-0f8f6f1f2a77")
QUIET_S = 0.2
QUICK_S = 20
ANSWER_S = 5  # the broker's socket timeout


@pytest.fixture
def separate_valkey() -> Iterator[Breakable]:
    with private_folder() as folder:
        owner = find_owner()
        data = make_data_folder(folder, owner)
        valkey = Valkey(data / "valkey", make_socket_folder(folder, owner), owner)
        breakable = Breakable(valkey, data / "valkey.log")
        breakable.start()
        yield breakable
        breakable.stop()


@pytest.fixture
def separate_broker(separate_valkey: Breakable) -> Celery:
    assert isinstance(separate_valkey.service, Valkey)
    return make_celery(read_settings(redis_url=separate_valkey.service.url))


def take_all(app: Celery) -> list[int | str]:
    """The waiting tasks in the order of a worker of all queues: job ids, or task names.

    Nothing is left when the queues are empty and what was on its way has come, too.
    """
    tasks: list[int | str] = []

    def take(body: list[list[int]], message: object) -> None:
        tasks.append(body[0][0] if body[0] else message.headers["task"])  # type: ignore[attr-defined]
        message.ack()  # type: ignore[attr-defined]

    queues = [app.amqp.queues[name] for name in QUEUES]
    with (
        app.connection_for_read() as connection,
        connection.Consumer(queues, callbacks=[take], accept=["json"]),
    ):
        drain(connection)
        while any(count_waiting(app, QUEUES).values()):
            drain(connection)
        drain(connection)
    return tasks


def drain(connection: Connection) -> None:
    """Take what comes until nothing has come for a moment."""
    with suppress(TimeoutError):
        while True:
            connection.drain_events(timeout=QUIET_S)


def job(job_id: int, urgency: Urgency = "live") -> Due:
    kind: Kind = "facts" if job_id % 2 else "summary"
    return Due(kind=kind, job_id=job_id, conversation_id=CONVERSATION, urgency=urgency)


def test_live_jobs_come_before_all_of_a_backlog_and_the_sweep_before_both(
    product: Services,
) -> None:
    send_due(product.broker, [job(number, "backlog") for number in range(100, 110)])
    send_due(product.broker, [job(1), job(3), job(5)])
    product.broker.send_task(SWEEP)
    tasks = take_all(product.broker)
    assert tasks[:4] == [SWEEP, 1, 3, 5]
    assert set(tasks[4:]) == set(range(100, 110))


def test_a_live_job_whose_worker_is_gone_comes_first(product: Services) -> None:
    send_due(product.broker, [job(1), job(3)])
    send_due(product.broker, [job(5, "lost")])
    assert take_all(product.broker) == [5, 1, 3]


def test_jobs_of_one_urgency_keep_their_order(product: Services) -> None:
    send_due(product.broker, [job(number, "backlog") for number in (9, 1, 5, 3)])
    assert take_all(product.broker) == [9, 1, 5, 3]


def test_all_urgencies_of_a_queue_are_counted(product: Services) -> None:
    send_due(product.broker, [job(1), job(3, "backlog"), job(5, "lost"), job(2)])
    counted = count_waiting(product.broker, ("facts", "summaries", "episodes"))
    assert counted == {"facts": 3, "summaries": 1, "episodes": 0}


def test_what_waits_in_a_long_backlog_is_not_sent_once_more(product: Services) -> None:
    product.redis.lpush("facts", *["-"] * LONG_QUEUE)
    send_again(product.broker, [job(1, "backlog"), job(3), job(2, "backlog")])
    product.redis.delete("facts")
    assert take_all(product.broker) == [3, 2]  # a live one, and one whose queue is short
    send_again(product.broker, [job(1, "backlog")])
    assert take_all(product.broker) == [1]


def test_one_task_to_embed_waits_however_many_are_sent(product: Services) -> None:
    for _ in range(3):
        send_embedding(product.broker)
    assert take_all(product.broker) == [EMBED]
    send_embedding(product.broker)
    assert take_all(product.broker) == [EMBED]


@pytest.mark.parametrize("send", [send_due, send_again])
def test_without_a_broker_sending_ends_quietly(send: Callable[..., None]) -> None:
    app = make_celery(read_settings(redis_url="redis://127.0.0.1:1/0"))
    began = time.monotonic()
    send(app, [job(1), job(3, "backlog")])
    assert count_waiting(app, ["facts"]) == {"facts": 0}
    assert time.monotonic() - began < QUICK_S


def test_a_broker_that_hangs_is_waited_for_once_whatever_there_is_to_send(
    separate_valkey: Breakable, separate_broker: Celery
) -> None:
    send_due(separate_broker, [job(1)])
    assert separate_valkey.process is not None
    os.killpg(separate_valkey.process.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        send_due(separate_broker, [job(3), job(5), job(2)])
        elapsed_s = time.monotonic() - began
    finally:
        os.killpg(separate_valkey.process.pid, signal.SIGCONT)
    assert ANSWER_S - 1 < elapsed_s < 3 * ANSWER_S - 1
    send_due(separate_broker, [job(7)])
    assert {1, 7} <= set(take_all(separate_broker))


def test_a_broker_that_was_started_again_is_sent_to_at_once(
    separate_valkey: Breakable, separate_broker: Celery
) -> None:
    send_due(separate_broker, [job(1)])
    separate_valkey.kill()
    separate_valkey.start()
    send_due(separate_broker, [job(3), job(5)])
    assert take_all(separate_broker)[-2:] == [3, 5]


def test_flower_is_told_which_conversation_a_job_is_about(product: Services) -> None:
    send_due(product.broker, [job(8)])
    with product.broker.connection_for_read() as connection:
        message = connection.SimpleQueue("summaries").get(timeout=PATIENCE_S)
        assert message.headers["argsrepr"] == f"summary 8 of conversation {CONVERSATION}"
