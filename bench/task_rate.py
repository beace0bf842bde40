"""Tasks that do nothing, with our Celery settings and Celery's own: `python -m bench.task_rate`.

Two workers with eight threads each, on one Redis. One is started as the Procfile's `worker-llm`
is: our settings, task class and transport. The other has Celery's defaults. In turns each is
stopped, gets its queue filled, goes on, and empties it.
"""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click
import redis
from celery import Celery

from bench.cpu_time import cpu_s
from bench.report import Figure, publish
from bench.site import wait_until
from shared.broker import broker_address, make_celery
from shared.settings import read_settings
from supervisor.environment import process_environment
from tests.e2e.breakable import breakable_services

NOOP = "bench.noop"
QUEUE = "facts"  # one of ours; the other worker has its own of this name, in another database
TIMES = "bench:times"
URL, COUNT = "BENCH_REDIS_URL", "BENCH_TASKS"
CONCURRENCY = ["--pool", "threads", "--concurrency", "8", "--without-gossip", "--without-mingle"]
NAMES = ("ours", "default")


@dataclass(frozen=True, kw_only=True)
class Block:
    """One emptying of the queue."""

    tasks_per_s: float
    cpu_ms: float


def make_ours() -> Celery:
    from workers.base import IdTask

    app = make_celery(read_settings(redis_url=os.environ[URL]))
    app.task_cls = IdTask
    return _with_noop(app)


def make_default() -> Celery:
    return _with_noop(
        Celery("default", broker=broker_address(read_settings(redis_url=os.environ[URL])).url)
    )


def _with_noop(app: Celery) -> Celery:
    client = redis.Redis.from_url(os.environ[URL])
    numbers, last = itertools.count(1), int(os.environ[COUNT])

    def noop() -> None:
        if next(numbers) % last in (0, 1):  # the first and the last of a block
            seconds, microseconds = client.time()
            client.rpush(TIMES, f"{seconds}.{microseconds:06}")

    app.task(name=NOOP)(noop)
    return app


@click.command()
@click.option("--tasks", default=2000, show_default=True, help="Of a block.")
@click.option("--blocks", default=9, show_default=True)
def main(*, tasks: int, blocks: int) -> None:
    results: dict[str, list[Block]] = {name: [] for name in NAMES}
    with ExitStack() as stack:
        services = stack.enter_context(breakable_services())
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        base = services.environment["REDIS_URL"].partition("?")[0]
        urls = {name: f"{base}?db={number}" for number, name in enumerate(NAMES)}
        workers = {
            name: stack.enter_context(running(name, url, tasks, folder))
            for name, url in urls.items()
        }
        for name in NAMES * (blocks + 1):
            results[name].append(empty_queue(workers[name], urls[name], tasks))
    ours, default = (results[name][1:] for name in NAMES)  # the first one warms up
    publish("task_rate", compare(ours, default))


def compare(ours: Sequence[Block], default: Sequence[Block]) -> list[Figure]:
    beside = "Celery's defaults"
    return [
        Figure(
            name="tasks a second",
            value=median(block.tasks_per_s for block in ours),
            unit="1/s",
            beside=beside,
            beside_value=median(block.tasks_per_s for block in default),
        ),
        Figure(
            name="CPU of a task",
            value=median(block.cpu_ms for block in ours),
            unit="ms",
            beside=beside,
            beside_value=median(block.cpu_ms for block in default),
        ),
    ]


@contextmanager
def running(name: str, url: str, tasks: int, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    log = Path(folder, f"{name}.log")
    variables = {URL: url, COUNT: str(tasks), "DATA_DIR": folder}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", START.format(name=name), "--quiet", "worker",
             "--queues", QUEUE, *CONCURRENCY, "--loglevel", "INFO"],
            env=process_environment(os.environ, variables, may_download=False),
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        if not wait_until(lambda: " ready." in log.read_text(), 60):
            raise SystemExit(log.read_text())
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(60)


START = "import sys; from bench.task_rate import make_{name} as make; make().start(sys.argv[1:])"


def empty_queue(worker: subprocess.Popen[bytes], url: str, tasks: int) -> Block:
    worker.send_signal(signal.SIGSTOP)
    with redis.Redis.from_url(url) as client:
        client.delete(TIMES)
        sender = make_celery(read_settings(redis_url=url))
        for _ in range(tasks):
            sender.send_task(NOOP, queue=QUEUE)
        before = cpu_s(worker.pid)
        worker.send_signal(signal.SIGCONT)
        if not wait_until(lambda: client.llen(TIMES) == 2, 120, poll_s=0.05):
            raise SystemExit("tasks are left")
        spent = cpu_s(worker.pid) - before
        first, last = (float(time) for time in client.lrange(TIMES, 0, 1))
        sender.close()
    return Block(tasks_per_s=tasks / (last - first), cpu_ms=1000 * spent / tasks)


if __name__ == "__main__":
    main()
