"""Hostile users beside honest ones: `python -m bench.hostile_soak --seconds 90 --alone 30`.

Two honest users chat all the time, first alone, then beside the clients of
`bench/hostile_clients.py`, then alone again. Prints how long the honest users waited for a reply
(milliseconds), and the memory (MB) and threads of the web process. A scripted model replies.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import click
import httpx

from bench.hostile_clients import MOVES, Hostile
from bench.memory import measure
from bench.site import wait_until
from bench.supervised import USER_HEADER, Supervised, supervised
from supervisor.pid_files import PidFiles
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import running_openai_server

HONEST = ("ines", "tom")
PAUSE_S = 0.5
REPLY_S = 60
REST_S = 30.0
EXPORT_S = 300.0


class Honest(threading.Thread):
    """Sends one message after the other. `taken` has the seconds of each reply."""

    def __init__(self, url: str, user: str) -> None:
        super().__init__(daemon=True)
        self.taken: list[float] = []
        self.failed: Counter[str] = Counter()
        self.stopped = threading.Event()
        self._client = httpx.Client(
            base_url=url, timeout=REPLY_S, headers={USER_HEADER: user}, trust_env=False
        )

    def run(self) -> None:
        place: dict[str, str] = {}
        while not self.stopped.wait(PAUSE_S):
            began = time.perf_counter()
            try:
                answer = self._client.post("/chat", json={"message": "I like tea."} | place)
            except httpx.HTTPError as exc:
                self.failed[type(exc).__name__] += 1
                continue
            if answer.is_success:
                self.taken.append(time.perf_counter() - began)
                place = {"conversation_id": answer.json()["conversation_id"]}
            else:
                self.failed[str(answer.status_code)] += 1


@click.command()
@click.option("--seconds", default=180.0, show_default=True, help="beside the hostile ones")
@click.option("--alone", default=40.0, show_default=True, help="seconds without them")
@click.option("--each", default=2, show_default=True, help="hostile clients of each kind")
def main(*, seconds: float, alone: float, each: int) -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with running_openai_server() as model, tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        settings = {
            "LLM_MODEL": FAKE_MODEL,
            "LLM_API_BASE": model.base_url,
            "LLM_API_KEY": "bench",
        }
        with supervised(Path(folder, "data"), **settings) as site:
            listen(site, 10, show=False)
            # A child process of the web process writes the model's ONNX form at the first start.
            wait_until(lambda: "encoder.loaded" in site.log, EXPORT_S)
            show_usage(site, "before")
            listen(site, alone)
            stopped = threading.Event()
            attackers = [
                Hostile(site.url, f"{move.__name__}-{number % 2}", move, stopped)
                for move in MOVES
                for number in range(each)
            ]
            for attacker in attackers:
                attacker.start()
            listen(site, seconds)
            show_usage(site, "beside them")
            stopped.set()
            for attacker in attackers:
                attacker.join(REPLY_S)
            time.sleep(REST_S)
            show_usage(site, f"{REST_S:g} s after")
            listen(site, alone / 2)
            show_hostile(attackers)
            print(f"crashes in the log: {site.log.count('crashed')}")


def listen(site: Supervised, seconds: float, *, show: bool = True) -> None:
    """Let the honest users chat for that long."""
    users = [Honest(site.url, name) for name in HONEST]
    for user in users:
        user.start()
    time.sleep(seconds)
    for user in users:
        user.stopped.set()
    for user in users:
        user.join(REPLY_S)
    times_ms = sorted(time_s * 1000 for user in users for time_s in user.taken)
    failed = sum((user.failed for user in users), Counter[str]())
    if show:
        print(f"honest: {len(times_ms)} replies, p50 {times_ms[len(times_ms) // 2]:.0f} ms, "
              f"p95 {times_ms[int(len(times_ms) * 0.95)]:.0f} ms, longest {times_ms[-1]:.0f} ms, "
              f"failed {dict(failed) or 0}")  # fmt: skip


def show_usage(site: Supervised, when: str) -> None:
    """Print the MB and threads of the web process and its children."""
    [pid] = [
        process.pid
        for process in PidFiles(site.data_dir / "pids").list_started()
        if process.name == "web"
    ]
    pids = [pid, *children(pid)]
    threads = sum(len(os.listdir(f"/proc/{each}/task")) for each in pids)
    print(f"web, {when}: {measure(pid).share_mb:.0f} MB, {threads} threads")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def show_hostile(attackers: list[Hostile]) -> None:
    counts = sum((attacker.seen for attacker in attackers), Counter[str]())
    print("hostile: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
