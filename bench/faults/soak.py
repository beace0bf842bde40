"""Random faults while people talk: `python -m bench.faults.soak --minutes 3`.

Starts a whole site under its supervisor, with the stand-in as model. While people talk, it kills
one process after the other. Prints the seconds that the site takes to catch up after each fault:
until the page is ready and every job and reply that was open then is done. Exit code 1 means that
something was lost or done twice.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import click

from bench.harness.site import BenchSite, running_site, wait_until
from bench.harness.talkers import Talker, talking
from shared.db import fetch_rows
from shared.errors import DatabaseUnavailableError
from shared.maintenance.verify import find_breaches
from shared.settings import read_settings

KILLED = ("web", "worker-llm", "worker-embed", "beat", "valkey", "postgres")
FAULTS: dict[str, Callable[[BenchSite], object]] = {
    "FLUSHALL": lambda site: site.redis.flushall(),
    **{f"kill -9 {name}": functools.partial(BenchSite.kill, name=name) for name in KILLED},
}
CATCH_UP_S = 120.0
SETTINGS = {"LEASE_S": "10", "SWEEP_EVERY_S": "2.5"}
COUNT_JOBS = """
    SELECT kind || ' ' || status AS status, count(*) AS n,
           sum(greatest(attempts - 1, 0))::int AS again
    FROM (SELECT 'summary' AS kind, status, attempts FROM memory
          UNION ALL SELECT 'episode', status, attempts FROM episodic_memory
          UNION ALL SELECT 'facts', status, attempts FROM fact_extractions) AS jobs
    GROUP BY kind, status ORDER BY 1
"""
#: Jobs and replies that began before that moment and are not done.
COUNT_OPEN = """
    SELECT count(*) AS n
    FROM (SELECT status, created_at FROM memory
          UNION ALL SELECT status, created_at FROM episodic_memory
          UNION ALL SELECT status, created_at FROM fact_extractions
          UNION ALL SELECT status, created_at FROM messages WHERE status = 'streaming') AS work
    WHERE status IN ('processing', 'streaming') AND created_at < %(since)s
"""
COUNT_REPLIES = "SELECT status, count(*) AS n FROM messages WHERE role = 'assistant' GROUP BY 1"
COUNT_DOUBLED = """
    SELECT count(*) AS n FROM (
        SELECT 1 FROM memory WHERE status = 'completed'
        GROUP BY conversation_id, end_sequence HAVING count(*) > 1) AS doubled
"""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """`taken_s` is None if the site did not catch up in time."""

    name: str
    taken_s: float | None


@dataclass(frozen=True, kw_only=True)
class Counts:
    """`rounds` and `jobs` are printed in a line each."""

    rounds: str
    jobs: str
    redeliveries: int
    lost_jobs: int
    duplicate_summaries: int


@click.command()
@click.option("--minutes", default=3.0, show_default=True)
@click.option("--users", default=6, show_default=True)
@click.option("--pause", default=1.0, show_default=True, help="Longest one of a user, seconds.")
@click.option("--every", default=8.0, show_default=True, help="Seconds of calm between faults.")
@click.option("--seed", default=1, show_default=True)
def main(*, minutes: float, users: int, pause: float, every: float, seed: int) -> None:
    print(f"{users} users, {minutes:g} min, seed {seed}, {SETTINGS}")
    with running_site(SETTINGS) as site:
        with talking(site.url, [f"user-{number}" for number in range(users)], pause) as talkers:
            faults = make_faults(site, minutes * 60, every, random.Random(seed))
        lost = report(site, talkers, faults)
    raise SystemExit(1 if lost else 0)


def make_faults(site: BenchSite, for_s: float, every: float, chance: random.Random) -> list[Fault]:
    """Make each kind of fault in random order, and let the site catch up before the next."""
    deadline = time.monotonic() + for_s
    faults: list[Fault] = []
    kinds: list[str] = []
    while time.monotonic() + every < deadline:
        time.sleep(every)
        kinds = kinds or chance.sample(sorted(FAULTS), len(FAULTS))
        faults.append(make_fault(site, kinds.pop()))
    return faults


def make_fault(site: BenchSite, name: str) -> Fault:
    since = site.fetch_row("SELECT now()")["now"]  # on the database's clock
    began = time.monotonic()
    FAULTS[name](site)
    time.sleep(0.5)  # what was killed is seen to be gone
    caught_up = wait_until(lambda: _is_caught_up(site, since), CATCH_UP_S, poll_s=0.2)
    return Fault(name=name, taken_s=time.monotonic() - began if caught_up else None)


def report(site: BenchSite, talkers: list[Talker], faults: list[Fault]) -> int:
    """Prints, and returns how much was lost or done twice."""
    began = time.monotonic()
    settings = read_settings(**{name.lower(): value for name, value in SETTINGS.items()})
    site.wait_for_jobs(CATCH_UP_S, settings)
    breaches = find_breaches(site.database, settings, quiet=True)
    print(f"quiet {time.monotonic() - began:.1f} s after the last reply")
    counts = count(site)
    show_counts(counts, site.log)
    messages = [message for talker in talkers for message in talker.messages]
    again = sum(message.tries - 1 for message in messages)
    print(f"messages taken: {len(messages)}, sent again by their users: {again}")
    texts = list_texts(site)
    lost = sum(texts.count(message.text) == 0 for message in messages)
    twice = len(texts) - len(set(texts))
    given_up = sum(len(talker.given_up) for talker in talkers)
    print(f"lost messages: {lost}, messages twice: {twice}, never taken: {given_up}")
    print(f"lost jobs: {counts.lost_jobs}, duplicate summaries: {counts.duplicate_summaries}")
    print(f"invariants broken: {[*breaches] or 0}")
    print(f"faults: {len(faults)}; time to catch up after each:")
    for fault in faults:
        print(f"  {fault.name:22} {'never' if fault.taken_s is None else f'{fault.taken_s:.1f} s'}")
    late = sum(fault.taken_s is None for fault in faults)
    doubled = counts.lost_jobs + counts.duplicate_summaries
    return lost + twice + given_up + len(breaches) + late + doubled


def show_counts(counts: Counts, log: str) -> None:
    print(f"rounds: {counts.rounds}")
    print(f"jobs: {counts.jobs}; begun more than once: {counts.redeliveries}")
    print(f"late writes discarded: {log.count('job.late')}; leases lost: {log.count('lease.lost')}")


def count(site: BenchSite) -> Counts:
    with site.database.transaction() as connection:
        rounds = fetch_rows(connection, COUNT_REPLIES)
        jobs = fetch_rows(connection, COUNT_JOBS)
    return Counts(
        rounds=", ".join(f"{row['n']} {row['status']}" for row in rounds),
        jobs=", ".join(f"{row['n']} {row['status']}" for row in jobs),
        redeliveries=sum(row["again"] for row in jobs),
        lost_jobs=sum(row["n"] for row in jobs if row["status"].endswith("processing")),
        duplicate_summaries=site.fetch_row(COUNT_DOUBLED)["n"],
    )


def list_texts(site: BenchSite) -> list[str]:
    """Of all user messages."""
    with site.database.transaction() as connection:
        rows = fetch_rows(connection, "SELECT content FROM messages WHERE role = 'user'")
    return [row["content"] for row in rows]


def _is_caught_up(site: BenchSite, since: object) -> bool:
    try:
        return site.is_ready() and site.fetch_row(COUNT_OPEN, since=since)["n"] == 0
    except DatabaseUnavailableError:
        return False


if __name__ == "__main__":
    main()
