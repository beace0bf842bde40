"""Hostile users beside honest ones: `python -m bench.load.hostile --seconds 90 --alone 30`.

Two honest users chat all the time, first alone, then beside the clients of `hostile_clients.py`,
then alone again. Prints how long the honest users waited for a reply (milliseconds), and the memory
(MB) and threads of the web process. A scripted model replies.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter

import click

from bench.harness.processes import list_descendants, measure_memory
from bench.harness.site import BenchSite, model_settings, running_site
from bench.harness.talkers import talking
from bench.load.hostile_clients import ATTACKS, Attacker
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import running_openai_server

HONEST = ("ines", "tom")
PAUSE_S = 1.0
REPLY_S = 60
REST_S = 30.0


@click.command()
@click.option("--seconds", default=180.0, show_default=True, help="beside the hostile ones")
@click.option("--alone", default=40.0, show_default=True, help="seconds without them")
@click.option("--each", default=2, show_default=True, help="hostile clients of each kind")
def main(*, seconds: float, alone: float, each: int) -> None:
    with (
        running_openai_server() as model,
        running_site(model_settings(model.base_url, FAKE_MODEL)) as site,
    ):
        listen(site, 10, show=False)
        site.warm_up()
        show_usage(site, "before")
        listen(site, alone)
        stopped = threading.Event()
        attackers = [
            Attacker(site.url, f"{attack.__name__}-{number % 2}", attack, stopped)
            for attack in ATTACKS
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
        counts = sum((attacker.seen for attacker in attackers), Counter[str]())
        print("hostile: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
        print(f"crashes in the log: {site.log.count('crashed')}")


def listen(site: BenchSite, seconds: float, *, show: bool = True) -> None:
    """Let the honest users chat for that long."""
    with talking(site.url, HONEST, PAUSE_S) as talkers:
        time.sleep(seconds)
    times_ms = sorted(message.taken_s * 1000 for talker in talkers for message in talker.messages)
    failed = Counter(what for talker in talkers for what in talker.failed)
    if show:
        print(f"honest: {len(times_ms)} replies, p50 {times_ms[len(times_ms) // 2]:.0f} ms, "
              f"p95 {times_ms[int(len(times_ms) * 0.95)]:.0f} ms, longest {times_ms[-1]:.0f} ms, "
              f"failed {dict(failed) or 0}")  # fmt: skip


def show_usage(site: BenchSite, when: str) -> None:
    """Print the MB and threads of the web process and its children."""
    pids = [site.web_pid, *list_descendants(site.web_pid)]
    threads = sum(len(os.listdir(f"/proc/{pid}/task")) for pid in pids)
    print(f"web, {when}: {measure_memory(site.web_pid).share_mb:.0f} MB, {threads} threads")


if __name__ == "__main__":
    main()
