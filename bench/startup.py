"""From `make run` to the first job done, and the processes' memory: `python -m bench.startup`.

Publishes seconds from the start of the supervisor, seconds of CPU that all of its processes took
until then, and MB. A data folder of its own is started several times: the first time creates the
databases. Packages are already installed and compiled. Memory is measured after three rounds and
their summary, when every process has loaded what it uses.

`--beside FOLDER` starts another checkout in turn with this one, with the same Python, and sets its
medians beside ours. On a busy machine compare the CPU: it depends least on what else runs.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
import httpx

from bench.memory import Held, measure_started
from bench.report import Figure, publish
from bench.site import Site, wait_until
from bench.supervised import database_of
from bench.tree_cpu import TreeCpu
from shared.db import Database, fetch_row
from supervisor.ports import choose_port

LIMIT_S = 120
POLL_S = 0.02
SAID = ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?")
HERE = Path(__file__).parents[1]
FIRST_JOB = """
    SELECT min(finished_at) AS at FROM jobs
    WHERE status = 'completed' AND finished_at > to_timestamp(%(began)s)
"""
# Values by name and unit, such as ("page, CPU", "s"), one for each start.
Measured = dict[tuple[str, str], list[float]]


@click.command()
@click.option("--beside", type=click.Path(path_type=Path), help="The folder of another checkout.")
@click.option("--runs", default=1, show_default=True, help="Starts with databases that are there.")
def main(*, beside: Path | None, runs: int) -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    checkouts = [HERE, beside] if beside else [HERE]
    measured: list[Measured] = [defaultdict(list) for _ in checkouts]
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        Path(folder).chmod(0o711)  # as root, the databases run as another account
        for number in range(runs + 1):
            for each, results in zip(checkouts, measured, strict=True):
                data_dir = Path(folder, f"data-{checkouts.index(each)}")
                start = Start(each, data_dir, results, ", new databases" if number == 0 else "")
                start.run(with_memory=number == runs)
    publish("startup", make_figures(measured[0], measured[1] if beside else {}))


def make_figures(ours: Measured, theirs: Measured) -> list[Figure]:
    """Medians. The first start, which makes the databases, has names of its own."""
    return [
        Figure(
            name=name,
            value=statistics.median(values),
            unit=unit,
            beside="the other checkout" if (name, unit) in theirs else None,
            beside_value=statistics.median(theirs[name, unit]) if (name, unit) in theirs else None,
        )
        for (name, unit), values in ours.items()
    ]


class Start:
    """One start and stop of a checkout, whose milestones are added to `results`."""

    def __init__(self, checkout: Path, data_dir: Path, results: Measured, suffix: str) -> None:
        self._checkout = checkout
        self._data_dir = data_dir
        self._results = results
        self._suffix = suffix

    def run(self, *, with_memory: bool) -> None:
        port = choose_port("PORT", "127.0.0.1", 0)
        url = f"http://127.0.0.1:{port}"
        began = time.time()
        with (
            supervisor(self._checkout, self._data_dir, port) as process,
            closing(Site(url)) as site,
        ):
            cpu = TreeCpu(process.pid)
            _reach("page", lambda: _answers(url))
            self._note("page", time.time() - began, cpu)
            first = site.send(SAID[0], None)
            if first.error:
                raise SystemExit(f"first reply: {first.error}")
            self._note("first reply", time.time() - began, cpu)
            self._note("first job", self._wait_for_job(began) - began, cpu)
            _reach("the model's export", lambda: has_export(self._data_dir))
            if with_memory:
                memory = _play_and_measure(site, first.conversation_id or "", self._data_dir)
                self._note_memory(memory)
            self._stop(process)

    def _note(self, what: str, taken_s: float, cpu: TreeCpu) -> None:
        self._results[f"{what}{self._suffix}", "s"].append(taken_s)
        self._results[f"{what}, CPU{self._suffix}", "s"].append(cpu.read_s())

    def _note_memory(self, memory: dict[str, Held]) -> None:
        """Each process's share: pages that several use are divided among them."""
        shares = {name: process.share_mb for name, process in sorted(memory.items())}
        shares["all processes"] = sum(shares.values())
        for name, mb in shares.items():
            self._results[f"memory of {name}", "MB"].append(mb)

    def _wait_for_job(self, began: float) -> float:
        """When the first job of this start was done, by the clock that Postgres shares with us."""
        database = database_of(self._data_dir)
        try:
            _reach("first job", lambda: _first_job(database, began) is not None)
            return _first_job(database, began) or 0.0
        finally:
            database.close()

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        began = time.time()
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT_S)
        self._results[f"stop{self._suffix}", "s"].append(time.time() - began)


@contextmanager
def supervisor(checkout: Path, data_dir: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "FLOWER_PORT": "0",
        "LOCAL_TOKEN": "off",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "supervisor"],
        cwd=checkout,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(LIMIT_S)


def has_export(data_dir: Path) -> bool:
    """Whether the model has its ONNX form: made once, after the first start."""
    return any(path.suffix != ".partial" for path in (data_dir / "embeddings").glob("*/"))


def _play_and_measure(site: Site, conversation_id: str, data_dir: Path) -> dict[str, Held]:
    for text in SAID[1:]:
        site.send(text, conversation_id)
    if not wait_until(lambda: site.is_quiet(conversation_id), LIMIT_S):
        raise SystemExit("the summary did not come in time")
    time.sleep(10)  # what started later than the page is there by then, with its libraries
    return measure_started(data_dir)


def _reach(what: str, is_so: Callable[[], bool]) -> None:
    if not wait_until(is_so, LIMIT_S, poll_s=POLL_S):
        raise SystemExit(f"{what}: not within {LIMIT_S} s")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.HTTPError:
        return False


def _first_job(database: Database, began: float) -> float | None:
    with database.transaction() as connection:
        row = fetch_row(connection, FIRST_JOB, began=began)
    return None if row is None or row["at"] is None else row["at"].timestamp()


if __name__ == "__main__":
    main()
