"""A site whose tasks go through a real RabbitMQ: faults of workers and of RabbitMQ itself."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from shared.broker.queues import find_waiting
from shared.broker.sending import send_due
from shared.broker.tasks import QUEUES
from shared.maintenance.verify import find_breaches
from tests.e2e.breakable import Breakable
from tests.e2e.site import NO_TLS
from tests.e2e.workshop import RECOVERY_S, START_S, Workshop, running_workshop
from tests.fakes.openai_server import Scripted
from tests.fakes.rabbitmq import NO_RABBITMQ, ROOT, running_rabbitmq
from tests.integration.faults.answers import answer_well
from tests.integration.worker import count_rows, list_jobs
from tests.services import Services
from tests.waiting import PATIENCE_S, wait_for
from throughline.__main__ import main

pytestmark = pytest.mark.skipif(ROOT is None, reason=NO_RABBITMQ)

LOGIN = ("operator", "a password of a test")
SLOW = Scripted(text="word " * 20, piece_delay_s=0.1)


@pytest.fixture(scope="module")
def node() -> Iterator[tuple[Breakable, str]]:
    with running_rabbitmq() as running:
        yield running


@pytest.fixture(scope="module")
def workshop(
    node: tuple[Breakable, str],
    services: Services,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Workshop]:
    environment = {
        "BROKER_URL": node[1],
        "FLOWER_BASIC_AUTH": ":".join(LOGIN),
    }
    folder = tmp_path_factory.mktemp("rabbitmq")
    with running_workshop(services, folder, "web", "flower", **environment) as running:
        yield running


def talk_on_the_page(workshop: Workshop) -> str:
    """Rounds in a conversation of their own, until a summary is due."""
    conversation_id = str(workshop.site.chat("I live in Oslo.")["conversation_id"])
    for _ in range(2):
        workshop.site.chat("I live in Oslo.", conversation_id)
    return conversation_id


def summary_end(workshop: Workshop, conversation_id: str) -> Any:
    return workshop.site.get(f"/api/v1/conversations/{conversation_id}/summaries")["summary_end"]


def ask_flower(workshop: Workshop, path: str) -> Any:
    return ask(f"http://127.0.0.1:{workshop.site.environment['FLOWER_PORT']}/flower{path}")


def ask_operations(workshop: Workshop, path: str = "") -> Any:
    return ask(f"{workshop.site.url}/api/v1/operations{path}")


def answering(workshop: Workshop) -> set[str]:
    """The kinds of the workers that answer within the time that they are given."""
    workers = ask_operations(workshop, "/workers")["workers"] or []
    return {worker["name"].split("-")[0] for worker in workers}


def metrics(workshop: Workshop) -> str:
    return httpx.get(f"{workshop.site.url}/metrics", timeout=PATIENCE_S).text


def done_by_flower(workshop: Workshop) -> set[str]:
    """The names of the tasks that Flower has heard the end of."""
    return {task["name"] for task in ask_flower(workshop, "/api/tasks?state=SUCCESS").values()}


def count_waiting(workshop: Workshop) -> int:
    waiting = find_waiting(workshop.product.broker, QUEUES)
    assert waiting is not None
    return sum(waiting.values())


def purge(workshop: Workshop) -> bool:
    """What a killed worker had taken comes back to its queue when RabbitMQ hears of the end."""
    app = workshop.product.broker
    with app.connection_for_write() as connection:
        for name in QUEUES:
            queue = app.amqp.queues[name](connection.default_channel)
            queue.declare()  # nobody has, where no worker takes from it
            queue.purge()
    return True


def requeue(workshop: Workshop) -> bool:
    """As the operator does, by hand."""
    done = CliRunner().invoke(main, ["requeue"], env=workshop.site.environment)
    assert done.exit_code == 0, done.output
    return True


def ask(address: str) -> Any:
    """As the operator."""
    answer = httpx.get(address, auth=LOGIN, timeout=PATIENCE_S, verify=NO_TLS)
    return answer.raise_for_status().json()


def test_what_is_said_on_the_page_becomes_memory_and_operators_see_the_way(
    workshop: Workshop,
) -> None:
    wait_for(
        lambda: ask_flower(workshop, "/api/workers?refresh=true"),
        START_S,
        workshop.site.log("flower"),
    )
    conversation_id = talk_on_the_page(workshop)
    wait_for(lambda: summary_end(workshop, conversation_id) == 5, START_S, workshop.worker.logs)
    wait_for(lambda: (ask_operations(workshop)["queues"] or {}).keys() == set(QUEUES))
    wait_for(lambda: answering(workshop) == {"llm", "embed"})
    wait_for(lambda: "throughline_broker_up 1.0" in metrics(workshop))
    assert 'throughline_queue_length{queue="facts"}' in metrics(workshop)
    wait_for(lambda: "memory.summarize" in done_by_flower(workshop))


def test_a_job_whose_worker_is_killed_is_delivered_again_and_done_once(workshop: Workshop) -> None:
    workshop.hold_up()
    repeated = workshop.count_repeated()
    workshop.worker.kill()
    answer_well(workshop.model)
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
    assert workshop.count_repeated() == repeated + 1
    assert list_jobs(workshop.product, "failed") == []


def test_a_broker_killed_in_a_round_costs_nothing_and_its_jobs_are_done_when_it_is_back(
    workshop: Workshop, node: tuple[Breakable, str]
) -> None:
    conversation_id = talk_on_the_page(workshop)
    workshop.model.script(SLOW)
    with httpx.stream(
        "POST",
        f"{workshop.site.url}/chat",
        json={"message": "I live in Bergen.", "conversation_id": conversation_id, "stream": True},
        timeout=60,
    ) as answer:
        lines = answer.iter_lines()
        next(line for line in lines if line.startswith("data:"))
        node[0].kill()
        assert any(line.startswith("event: done") for line in lines)
    reply = workshop.site.chat("Where do I live?", conversation_id)  # without it, too
    assert reply["sequence"] == 9
    assert ask_operations(workshop)["queues"] is None
    assert httpx.get(f"{workshop.site.url}/readyz", timeout=PATIENCE_S).status_code == 200
    node[0].start()

    def is_done() -> bool:
        workshop.site.revive()
        return workshop.is_done() and summary_end(workshop, conversation_id) == 9

    wait_for(is_done, START_S + RECOVERY_S, workshop.worker.logs)
    assert find_breaches(workshop.product.database, workshop.product.settings, quiet=True) == []


def test_what_a_purge_has_taken_is_sent_again_by_hand_too_and_nothing_is_done_twice(
    workshop: Workshop,
) -> None:
    workshop.worker.kill()
    os.killpg(workshop.site.running["beat"].pid, signal.SIGSTOP)
    try:
        send_due(workshop.product.broker, workshop.talk().due)
        wait_for(lambda: purge(workshop) and count_waiting(workshop) == 0)
        wait_for(lambda: requeue(workshop) and count_waiting(workshop), RECOVERY_S)
    finally:
        os.killpg(workshop.site.running["beat"].pid, signal.SIGCONT)
    repeated = workshop.count_repeated()
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
    assert workshop.count_repeated() == repeated


def test_a_task_that_comes_twice_changes_nothing(workshop: Workshop) -> None:
    talk = workshop.talk_and_send()
    wait_for(workshop.is_done, START_S, workshop.worker.logs)
    before = count_rows(workshop.product), workshop.count_repeated()
    send_due(workshop.product.broker, talk.due)
    wait_for(lambda: find_waiting(workshop.product.broker, ["facts"]) == {"facts": 0}, START_S)
    wait_for(workshop.is_done, START_S, workshop.worker.logs)
    assert (count_rows(workshop.product), workshop.count_repeated()) == before
