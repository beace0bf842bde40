"""Workers and beat that are replaced, killed, or lose a child. One site serves all these tests.

`worker-llm` is a node of pytest-celery, here a process of the Procfile (`tests/e2e/nodes.py`). It
has one thread, so that jobs come one after the other.
"""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from celery import Celery
from celery.platforms import EX_OK
from pytest_celery import CeleryTestSetup

from shared.broker import send_due, send_embedding
from shared.db import fetch_row, fetch_rows
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from shared.settings import read_settings
from shared.user_data.imports.importer import import_file
from tests.e2e.conftest import QUICK, environment_of
from tests.e2e.nodes import ProcfileWorker, close_setup, make_setup
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.integration.conversing import USER, Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import count_rows, list_jobs
from tests.services import Services, as_owner
from tests.waiting import wait_for

ROUNDS = 4
IMPORTED = 6
JOB_S = 3.0  # shorter than a stopping worker waits, as long as its lease
NEVER_S = 600.0
START_S = 60.0
RECOVERY_S = float(QUICK["LEASE_S"]) + 10
UNACKNOWLEDGED = "unacked_index"  # kombu's, of what workers have taken

BEGUN = """
    SELECT source_key IS NULL AS is_live, min(begun_at) AS first, max(begun_at) AS last
    FROM jobs JOIN conversations USING (conversation_id)
    WHERE source_key IS NOT NULL OR kind || job_id = ANY(%(live)s)
    GROUP BY is_live
"""


@dataclass
class Workshop:
    """Workers and beat, the model that they ask, and the product's own parts beside them."""

    site: Site
    setup: CeleryTestSetup
    product: Product
    model: FakeOpenAI

    @property
    def worker(self) -> ProcfileWorker:
        """The newest `worker-llm`."""
        return self.setup.worker_cluster[-1]

    def add_worker(self) -> None:
        newer = ProcfileWorker(self.site, "worker-llm.2", self.setup.app)
        newer.ready()
        self.setup.worker_cluster.nodes = (*self.setup.worker_cluster.nodes, newer)

    def talk(self) -> Conversing:
        talk = Conversing(self.product)
        for _ in range(ROUNDS):
            talk.round("I live in Oslo.")
        return talk

    def talk_and_send(self) -> Conversing:
        talk = self.talk()
        send_due(self.product.broker, talk.due)
        return talk

    def hold_up(self) -> None:
        """A worker is in the middle of a job that the model never ends."""
        answer_well(self.model, delay_s=NEVER_S)
        self.talk_and_send()
        wait_for(self.count_running, START_S, self.worker.logs)

    def is_done(self) -> bool:
        """Everything, vectors too."""
        found = find_breaches(self.product.database, self.product.settings, quiet=True)
        return not list_jobs(self.product, "processing") and not found

    def count_running(self) -> int:
        return self._count("SELECT count(*) AS n FROM jobs WHERE state = 'running'")

    def count_repeated(self) -> int:
        """How often jobs were begun that had been begun before."""
        return self._count("SELECT coalesce(sum(greatest(attempts - 1, 0)), 0) AS n FROM jobs")

    def _count(self, sql: str) -> int:
        with as_owner(self.product) as connection:
            row = fetch_row(connection, sql)
        assert row is not None
        return int(row["n"])


@pytest.fixture(scope="module")
def workshop(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    folder: Path = tmp_path_factory.mktemp("workshop")
    with services.database() as url, running_openai_server() as model:
        environment = environment_of(services, url) | {
            "LLM_MODEL": "fake-model",
            "LLM_API_BASE": model.base_url,
            "LLM_API_KEY": "sk-test",
        }
        product = Product(
            read_settings(database_url=url, redis_url=services.valkey.url, data_dir=folder)
        )
        product.redis.flushdb()
        answer_well(model)
        with running_site(environment, folder, "worker-embed", "beat") as site:
            site.environment["WORKER_LLM_THREADS"] = "1"
            setup = make_setup(site, product.settings, "worker-llm")
            assert setup.ready(control=True)
            workshop = Workshop(site, setup, product, model)
            workshop.talk_and_send()
            wait_for(workshop.is_done, 2 * START_S, site.log("worker-embed"))  # its model is there
            yield workshop
            close_setup(setup)
        product.close()


def restore_unacknowledged(app: Celery) -> None:
    """What kombu does in each worker every now and then."""
    with app.connection_for_read() as connection, connection.channel() as channel:
        channel.qos.restore_visible(num=100)


def past_conversations(count: int) -> io.BytesIO:
    said = [
        {"role": role, "content": f"{role} says {number}"}
        for number in range(ROUNDS)
        for role in ("user", "assistant")
    ]
    return io.BytesIO(
        json.dumps([{"id": f"past-{n}", "messages": said} for n in range(count)]).encode()
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
    taken = set(redis.zrange(UNACKNOWLEDGED, 0, -1))
    answer_well(workshop.model)
    workshop.worker.restart()
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
    held = taken & set(redis.zrange(UNACKNOWLEDGED, 0, -1))  # by nobody any more
    assert held
    before = count_rows(workshop.product), workshop.count_repeated()
    redis.zadd(UNACKNOWLEDGED, dict.fromkeys(map(str, held), 1))  # seconds since 1970: long overdue
    restore_unacknowledged(workshop.product.broker)
    wait_for(lambda: not held & set(redis.zrange(UNACKNOWLEDGED, 0, -1)), START_S)
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
    imported, own = sorted(rows, key=lambda row: row["is_live"])
    assert own["last"] < imported["first"]


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


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for children in /proc")
def test_a_worker_child_killed_at_its_work_is_followed_by_another(workshop: Workshop) -> None:
    workshop.talk()
    child = wait_for(lambda: child_of(workshop.site, "worker-embed"), START_S)
    send_embedding(workshop.product.broker)
    os.kill(child, signal.SIGKILL)
    wait_for(workshop.is_done, 2 * START_S, workshop.site.log("worker-embed"))
    assert child_of(workshop.site, "worker-embed") not in (0, child)
    assert workshop.site.running["worker-embed"].poll() is None


def test_with_beat_killed_nothing_is_lost_and_the_next_one_sends_what_was_left(
    workshop: Workshop,
) -> None:
    workshop.site.kill("beat")
    workshop.talk()  # claimed, and the connection was cut before the send
    assert not workshop.is_done()
    workshop.site.start("beat")
    wait_for(workshop.is_done, START_S + RECOVERY_S, workshop.worker.logs)
