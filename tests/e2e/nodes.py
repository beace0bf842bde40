"""Nodes of pytest-celery that are processes of the Procfile instead of containers.

pytest-celery asks its containers for little: who they are, whether they run, what they said, and
to be killed and started again. A process answers all of it, so its nodes work without Docker.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from signal import Signals
from typing import Any

from celery import Celery
from pytest_celery import (
    CeleryBrokerCluster,
    CeleryTestBroker,
    CeleryTestSetup,
    CeleryTestWorker,
    CeleryWorkerCluster,
)

from shared.broker.address import broker_address
from shared.broker.celery_app import make_celery
from shared.broker.queues import find_waiting
from shared.broker.tasks import QUEUES
from shared.settings import Settings
from tests.e2e.site import ROOT, Site
from tests.waiting import wait_for

READY = re.compile(r"(\S+@\S+) ready\.")
START_S = 90


class Process:
    """One process of a site. A signal reaches its whole group, as a container's would."""

    attrs: dict[str, Any] = {}  # noqa: RUF012 - Docker's own; a process has none

    def __init__(self, site: Site, name: str) -> None:
        self._site = site
        self._heard = 0  # bytes of its log that are of earlier starts
        self.name = name
        self._start()

    @property
    def id(self) -> str:
        return str(self._site.running[self.name].pid)

    @property
    def status(self) -> str:
        process = self._site.running.get(self.name)
        return "running" if process is not None and process.poll() is None else "exited"

    @property
    def exit_code(self) -> int | None:
        """None: it runs. It may have ended by itself, before the signal that should end it."""
        return self._process.poll()

    def reload(self) -> None:
        """Nothing is kept that could be out of date."""

    def logs(self) -> str:
        """The output since the newest start."""
        return self._log.read_bytes()[self._heard :].decode(errors="replace")

    def ready(self) -> bool:
        wait_for(lambda: READY.search(self.logs()), START_S, self.logs)
        return True

    def kill(self, signal: str = "SIGKILL") -> None:
        """Kill the process and wait for its end."""
        self._site.kill(self.name, Signals[signal])

    def restart(self, timeout: float = 10) -> None:
        if self.status == "running":
            self.kill("SIGTERM")
        self._start()
        self.ready()

    def exec_run(self, command: str) -> tuple[int, bytes]:
        done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, check=False)
        return done.returncode, done.stdout

    def teardown(self) -> None:
        if self.status == "running":
            self.kill()

    @property
    def _log(self) -> Path:
        return self._site.log_path(self.name)

    def _start(self) -> None:
        self._heard = self._log.stat().st_size if self._log.exists() else 0
        self._site.start(self.name)
        self._process = self._site.running[self.name]


class ProcfileWorker(CeleryTestWorker):
    """`worker-llm`, and `worker-llm.2` for a second one."""

    def __init__(self, site: Site, name: str, app: Celery) -> None:
        super().__init__(Process(site, name), app)

    def hostname(self) -> str:
        """The name that the worker gave itself. It contains the process's number."""
        match = READY.search(self.logs())
        assert match is not None, self.logs()
        return match[1]


class Broker:
    """The broker of the test's site, which is not pytest-celery's to kill."""

    id = name = "broker"
    status = "running"
    attrs: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, settings: Settings, app: Celery) -> None:
        self._app = app
        self.celeryconfig = dict.fromkeys(("url", "host_url"), broker_address(settings).url)

    def ready(self) -> bool:
        return find_waiting(self._app, QUEUES) is not None

    def teardown(self) -> None:
        """Its connections are the test process's, which keeps them."""


def make_setup(site: Site, settings: Settings, *names: str) -> CeleryTestSetup:
    """Workers, started, and their broker. There is no result backend."""
    app = make_celery(settings)
    workers = [ProcfileWorker(site, name, app) for name in names]
    broker = CeleryTestBroker(Broker(settings, app), app)
    return CeleryTestSetup(CeleryWorkerCluster(*workers), CeleryBrokerCluster(broker), None, app)


def close_setup(setup: CeleryTestSetup) -> None:
    for node in (*setup.worker_cluster, *setup.broker_cluster):
        node.teardown()
