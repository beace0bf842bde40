"""Workers and beat that a test may kill, the model that they ask, and the product beside them.

`worker-llm` is a node of pytest-celery, here a process of the Procfile (`tests/e2e/nodes.py`). It
has one thread, so that jobs come one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pytest_celery import CeleryTestSetup

from shared.broker.sending import send_due
from shared.db import fetch_row
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from shared.settings import read_settings
from tests.e2e.conftest import SHORT_LEASE, SHORT_LEASE_S, environment_of
from tests.e2e.nodes import ProcfileWorker, close_setup, make_setup
from tests.e2e.site import Site, running_site
from tests.exports import EXPORT_S
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import list_jobs
from tests.services import Services, as_owner
from tests.waiting import PATIENCE_S, wait_for

ROUNDS = 4
NEVER_S = 600.0
START_S = 60.0
RECOVERY_S = SHORT_LEASE_S + PATIENCE_S


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
        if list_jobs(self.product, "processing"):
            return False
        return not find_breaches(self.product.database, self.product.settings, quiet=True)

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


@contextmanager
def running_workshop(
    services: Services, folder: Path, *names: str, **environment: str
) -> Iterator[Workshop]:
    """With `worker-embed`, beat and the processes that are named besides."""
    with services.databases.lend() as url, running_openai_server() as model:
        variables = (
            environment_of(services, url)
            | SHORT_LEASE
            | environment
            | {
                "LLM_MODEL": "fake-model",
                "LLM_API_BASE": model.base_url,
                "LLM_API_KEY": "sk-test",
            }
        )
        product = Product(
            read_settings(
                database_url=url,
                redis_url=variables["REDIS_URL"],
                broker_url=variables.get("BROKER_URL", ""),
                data_dir=folder,
            )
        )
        product.redis.flushdb()
        answer_well(model)
        with running_site(variables, folder, "worker-embed", "beat", *names) as site:
            site.environment["WORKER_LLM_THREADS"] = "1"
            setup = make_setup(site, product.settings, "worker-llm")
            assert setup.ready(control=True)
            workshop = Workshop(site, setup, product, model)
            workshop.talk_and_send()
            wait_for(workshop.is_done, EXPORT_S, site.log("worker-embed"))  # its model is there
            yield workshop
            close_setup(setup)
        product.close()
