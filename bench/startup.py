"""From `make run` to the first job done, and the processes' memory: `python -m bench.startup`.

Publishes seconds from the start of the supervisor, seconds of CPU that all of its processes took
until then, and MB. A data folder of its own is started several times: the first time creates the
databases. Packages are already installed and compiled. Memory is measured after three rounds and
their summary, when every process has loaded what it uses.

`--beside FOLDER` starts another checkout in turn with this one, with the same Python, and sets its
medians beside ours. On a busy machine compare the CPU: it depends least on what else runs.
"""

from __future__ import annotations

import itertools
import signal
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import click
import httpx

from bench.harness.client import Client
from bench.harness.processes import cpu_s, measure_shares
from bench.harness.report import Figure, print_load, publish
from bench.harness.site import find_addresses, running_supervisor, wait_until
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
    print_load()
    checkouts = [HERE, beside] if beside else [HERE]
    measured: list[Measured] = [defaultdict(list) for _ in checkouts]
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        Path(folder).chmod(0o711)  # as root, the databases run as another account
        for number, each in itertools.product(range(runs + 1), checkouts):
            place = checkouts.index(each)
            suffix = ", new databases" if number == 0 else ""
            data_dir = Path(folder, f"data-{place}")
            for what, unit, value in start(each, data_dir, with_memory=number == runs):
                name = what if unit == "MB" else what + suffix
                measured[place][name, unit].append(value)
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


def start(checkout: Path, data_dir: Path, *, with_memory: bool) -> Iterator[tuple[str, str, float]]:
    """One start and stop of a checkout. Gives what was reached, its unit and its value."""
    port = choose_port("PORT", "127.0.0.1", 0)
    url = f"http://127.0.0.1:{port}"
    began = time.time()
    environment = {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "FLOWER_PORT": "0",
        "LOCAL_TOKEN": "off",
    }
    with (
        running_supervisor(environment, subprocess.DEVNULL, checkout) as process,
        closing(Client(url)) as client,
    ):
        _reach("page", lambda: _answers(url))
        yield "page", "s", time.time() - began
        yield "page, CPU", "s", cpu_s(process.pid)
        first = client.send(SAID[0], None)
        if first.error:
            raise SystemExit(f"first reply: {first.error}")
        yield "first reply", "s", time.time() - began
        yield "first reply, CPU", "s", cpu_s(process.pid)
        yield "first job", "s", _wait_for_job(data_dir, began) - began
        yield "first job, CPU", "s", cpu_s(process.pid)
        _reach("the model's export", lambda: has_export(data_dir))
        if with_memory:
            shares = _play_and_measure(client, first.conversation_id or "", data_dir)
            shares["all processes"] = sum(shares.values())
            yield from ((f"memory of {name}", "MB", mb) for name, mb in sorted(shares.items()))
        stopped = time.time()
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT_S)
        yield "stop", "s", time.time() - stopped


def has_export(data_dir: Path) -> bool:
    """Whether the model has its ONNX form: made once, after the first start."""
    return any(path.suffix != ".partial" for path in (data_dir / "embeddings").glob("*/"))


def _play_and_measure(client: Client, conversation_id: str, data_dir: Path) -> dict[str, float]:
    """MB of each process: pages that several use are divided among them."""
    for text in SAID[1:]:
        client.send(text, conversation_id)
    if not wait_until(lambda: client.is_quiet(conversation_id), LIMIT_S):
        raise SystemExit("the summary did not come in time")
    time.sleep(10)  # what started later than the page is there by then, with its libraries
    return measure_shares(data_dir)


def _reach(what: str, is_so: Callable[[], bool]) -> None:
    if not wait_until(is_so, LIMIT_S, poll_s=POLL_S):
        raise SystemExit(f"{what}: not within {LIMIT_S} s")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.HTTPError:
        return False


def _wait_for_job(data_dir: Path, began: float) -> float:
    """When the first job of this start was done, by the clock that Postgres shares with us."""
    with closing(Database(find_addresses(data_dir)[0], pool_size=1)) as database:
        _reach("first job", lambda: _first_job(database, began) is not None)
        return _first_job(database, began) or 0.0


def _first_job(database: Database, began: float) -> float | None:
    with database.transaction() as connection:
        row = fetch_row(connection, FIRST_JOB, began=began)
    return None if row is None or row["at"] is None else row["at"].timestamp()


if __name__ == "__main__":
    main()
