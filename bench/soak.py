"""Random faults while people talk: `python -m bench.soak --minutes 3`.

Starts a whole site under its supervisor, with the stand-in as model. While people talk, it kills
one process after the other. Prints the seconds that the site takes to catch up after each fault:
until the page is ready and every job and reply that was open then is done. Exit code 1 means that
something was lost or done twice.
"""

from __future__ import annotations

import functools
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from bench.site import wait_until
from bench.soak_counts import Counts, count, count_open_since, list_texts, now_of
from bench.supervised import Supervised, supervised
from bench.users import Talker
from shared.errors import DatabaseUnavailableError
from shared.maintenance.verify import find_breaches
from shared.settings import read_settings

KILLED = ("web", "worker-llm", "worker-embed", "beat", "valkey", "postgres")
FAULTS: dict[str, Callable[[Supervised], object]] = {
    "FLUSHALL": lambda site: site.redis.flushall(),
    **{f"kill -9 {name}": functools.partial(Supervised.kill, name=name) for name in KILLED},
}
CATCH_UP_S = 120.0
SETTINGS = {"LEASE_S": "10", "SWEEP_EVERY_S": "2.5"}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """`taken_s` is None if the site did not catch up in time."""

    name: str
    taken_s: float | None


@click.command()
@click.option("--minutes", default=3.0, show_default=True)
@click.option("--users", default=6, show_default=True)
@click.option("--pause", default=1.0, show_default=True, help="Longest one of a user, seconds.")
@click.option("--every", default=8.0, show_default=True, help="Seconds of calm between faults.")
@click.option("--seed", default=1, show_default=True)
def main(*, minutes: float, users: int, pause: float, every: float, seed: int) -> None:
    print(f"{users} users, {minutes:g} min, seed {seed}, {SETTINGS}")
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="throughline-soak-") as folder:
        Path(folder).chmod(0o711)
        with supervised(Path(folder, "data"), **SETTINGS) as site:
            stopped = threading.Event()
            talkers = [Talker(site.url, f"user-{n}", pause, stopped) for n in range(users)]
            for talker in talkers:
                talker.start()
            faults = make_faults(site, minutes * 60, every, random.Random(seed))
            stopped.set()
            for talker in talkers:
                talker.join()
            lost = report(site, talkers, faults)
    raise SystemExit(1 if lost else 0)


def make_faults(site: Supervised, for_s: float, every: float, chance: random.Random) -> list[Fault]:
    """Make each kind of fault in random order, and let the site catch up before the next."""
    deadline = time.monotonic() + for_s
    faults: list[Fault] = []
    kinds: list[str] = []
    while time.monotonic() + every < deadline:
        time.sleep(every)
        kinds = kinds or chance.sample(sorted(FAULTS), len(FAULTS))
        faults.append(make_fault(site, kinds.pop()))
    return faults


def make_fault(site: Supervised, name: str) -> Fault:
    since = now_of(site.database)
    began = time.monotonic()
    FAULTS[name](site)
    time.sleep(0.5)  # what was killed is seen to be gone
    caught_up = wait_until(lambda: _is_caught_up(site, since), CATCH_UP_S, poll_s=0.2)
    return Fault(name=name, taken_s=time.monotonic() - began if caught_up else None)


def report(site: Supervised, talkers: list[Talker], faults: list[Fault]) -> int:
    """Prints, and returns how much was lost or done twice."""
    began = time.monotonic()
    settings = read_settings(**{name.lower(): value for name, value in SETTINGS.items()})
    wait_until(lambda: not find_breaches(site.database, settings, quiet=True), CATCH_UP_S)
    breaches = find_breaches(site.database, settings, quiet=True)
    print(f"quiet {time.monotonic() - began:.1f} s after the last reply")
    counts = count(site.database)
    show_counts(counts, site.log)
    messages = [message for talker in talkers for message in talker.taken]
    again = sum(message.tries - 1 for message in messages)
    print(f"messages taken: {len(messages)}, sent again by their users: {again}")
    texts = list_texts(site.database)
    lost = sum(texts.count(message.text) == 0 for message in messages)
    twice = len(texts) - len(set(texts))
    given_up = sum(len(talker.given_up) for talker in talkers)
    print(f"lost messages: {lost}, messages twice: {twice}, never taken: {given_up}")
    print(f"lost jobs: {counts.lost_jobs}, duplicate summaries: {counts.duplicate_summaries}")
    print(f"invariants broken: {[*breaches] or 0}")
    show_faults(faults)
    late = sum(fault.taken_s is None for fault in faults)
    doubled = counts.lost_jobs + counts.duplicate_summaries
    return lost + twice + given_up + len(breaches) + late + doubled


def show_counts(counts: Counts, log: str) -> None:
    print(f"rounds: {counts.rounds}")
    print(f"jobs: {counts.jobs}; begun more than once: {counts.redeliveries}")
    print(f"late writes discarded: {log.count('job.late')}; leases lost: {log.count('lease.lost')}")


def show_faults(faults: list[Fault]) -> None:
    print(f"faults: {len(faults)}; time to catch up after each:")
    for fault in faults:
        print(f"  {fault.name:22} {'never' if fault.taken_s is None else f'{fault.taken_s:.1f} s'}")


def _is_caught_up(site: Supervised, since: object) -> bool:
    try:
        return site.is_ready() and count_open_since(site.database, since) == 0
    except DatabaseUnavailableError:
        return False


if __name__ == "__main__":
    main()
