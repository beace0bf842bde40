"""From `make run` to the first reply, and the memory of all processes: `python -m bench.startup`.

Publishes seconds from the start of the supervisor, and MB. It starts twice on a data folder of its
own: the first time creates the databases. Packages are already installed and compiled. Memory is
measured after three rounds and their summary, when every process has loaded what it uses.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from bench.memory import Held, measure_started
from bench.report import Figure, publish
from bench.site import Site, wait_until
from supervisor.ports import choose_port

LIMIT_S = 120
SAID = ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?")


def main() -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        Path(folder).chmod(0o711)  # as root, the databases run as another account
        data_dir = Path(folder, "data")
        figures: list[Figure] = []
        for what in ("new databases", "databases that are there"):
            times, held = measure_run(data_dir)
            figures += [seconds(f"{name}, {what}", taken) for name, taken in times.items()]
    publish("startup", figures + list_memory(held))


def measure_run(data_dir: Path) -> tuple[dict[str, float], dict[str, Held]]:
    """Start and stop once: the seconds by name, and the memory by process."""
    port = choose_port("PORT", "127.0.0.1", 0)
    url = f"http://127.0.0.1:{port}"
    began = time.perf_counter()
    with supervisor(data_dir, port) as process, closing(Site(url)) as site:
        _reach("page", lambda: _answers(url))
        page_s = time.perf_counter() - began
        first = site.send(SAID[0], None)
        if first.error:
            raise SystemExit(f"first reply: {first.error}")
        reply_s = time.perf_counter() - began
        held = _play_and_measure(site, first.conversation_id or "", data_dir)
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT_S)
        stop_s = time.perf_counter() - began
    return {"page": page_s, "first reply": reply_s, "stop": stop_s}, held


@contextmanager
def supervisor(data_dir: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    own = {"DATA_DIR": str(data_dir), "PORT": str(port), "FLOWER_PORT": "0", "LOCAL_TOKEN": "off"}
    process = subprocess.Popen(
        [sys.executable, "-m", "supervisor"],
        env=os.environ | own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(LIMIT_S)


def seconds(name: str, taken: float) -> Figure:
    return Figure(name=name, value=taken, unit="s")


def list_memory(held: dict[str, Held]) -> list[Figure]:
    """Each process's share: pages that several use are divided among them."""
    shares = {name: found.share_mb for name, found in sorted(held.items())}
    shares["all processes"] = sum(shares.values())
    return [Figure(name=f"memory of {name}", value=mb, unit="MB") for name, mb in shares.items()]


def _play_and_measure(site: Site, conversation_id: str, data_dir: Path) -> dict[str, Held]:
    for text in SAID[1:]:
        site.send(text, conversation_id)
    if not wait_until(lambda: site.is_quiet(conversation_id), LIMIT_S):
        raise SystemExit("the summary did not come in time")
    time.sleep(10)  # what started later than the page is there by then, with its libraries
    return measure_started(data_dir)


def _reach(what: str, is_so: Callable[[], bool]) -> None:
    if not wait_until(is_so, LIMIT_S, poll_s=0.02):
        raise SystemExit(f"{what}: not within {LIMIT_S} s")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.HTTPError:
        return False


if __name__ == "__main__":
    main()
