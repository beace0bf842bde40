"""`python -m bench.overload`: more rounds than there are places, and more jobs than workers.

Everybody sends again at once, with no pause, to a site with few places (`--places` is its
MAX_LIVE_ROUNDS) and one worker thread. Shows that it refuses in time, and with Retry-After; that
what it takes it answers; that gaps grow and are made up for; and that a conversation of thousands
of messages, imported into the same queue, does not keep the others' facts waiting for its end.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import click
import httpx

from bench.site import wait_until
from bench.supervised import USER_HEADER, Supervised, supervised
from bench.users import Talker
from shared.db import fetch_row
from shared.settings import read_settings
from shared.verify import find_breaches

QUIET_S = 300.0
LONG_MESSAGES = 2000
GAP = """
    SELECT coalesce(max(c.last_sequence - coalesce(newest.covered, -1)), 0) AS n
    FROM conversations c
    LEFT JOIN LATERAL (SELECT max(end_sequence) AS covered FROM memory m
                       WHERE m.conversation_id = c.conversation_id
                         AND m.status = 'completed') newest ON true
    WHERE c.user_id <> 'long'
"""
LONG_BEHIND = """
    SELECT count(*) AS n FROM conversations c
    WHERE c.user_id = 'long' AND NOT EXISTS (
        SELECT 1 FROM fact_extractions f WHERE f.conversation_id = c.conversation_id
          AND f.status = 'completed' AND f.end_sequence >= c.last_sequence - 1)
"""


@click.command()
@click.option("--minutes", default=1.0, show_default=True)
@click.option("--users", default=16, show_default=True)
@click.option("--places", default=8, show_default=True)
def main(*, minutes: float, users: int, places: int) -> None:
    print(f"{users} users without a pause, {places} places, one worker thread, {minutes:g} min")
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    settings = {"MAX_LIVE_ROUNDS": str(places), "WORKER_LLM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="throughline-overload-") as folder:
        Path(folder).chmod(0o711)
        with supervised(Path(folder, "data"), **settings) as site:
            warm_up(site)
            import_long(site)
            stopped = threading.Event()
            talkers = [Talker(site.url, f"user-{n}", 0, stopped) for n in range(users)]
            for talker in talkers:
                talker.start()
            gaps = watch_gaps(site, minutes * 60)
            stopped.set()
            for talker in talkers:
                talker.join()
            show_answers(talkers, minutes * 60)
            show_jobs(site, gaps)


def warm_up(site: Supervised) -> None:
    """The first reply waits for what is loaded late, which is not to be measured here."""
    headers = {USER_HEADER: "early"}
    httpx.post(f"{site.url}/chat", json={"message": "Hello"}, headers=headers, timeout=120)


def import_long(site: Supervised) -> None:
    """One conversation of thousands of messages, whose facts are due at once."""
    said = [
        {"role": role, "content": f"Line {number}: I like tea."}
        for number in range(LONG_MESSAGES // 2)
        for role in ("user", "assistant")
    ]
    body = json.dumps({"conversations": [{"id": "long", "title": "Long", "messages": said}]})
    headers = {USER_HEADER: "long", "Content-Type": "application/json"}
    answer = httpx.post(f"{site.url}/api/import", content=body, headers=headers, timeout=120)
    print(f"imported {LONG_MESSAGES} messages: {answer.status_code}")


def watch_gaps(site: Supervised, for_s: float) -> list[int]:
    """The widest gap of any conversation, each second."""
    gaps: list[int] = []
    deadline = time.monotonic() + for_s
    while time.monotonic() < deadline:
        gaps.append(_value(site, GAP))
        time.sleep(1)
    return gaps


def show_answers(talkers: Sequence[Talker], for_s: float) -> None:
    taken = [one for talker in talkers for one in talker.taken]
    refused = [answer for talker in talkers for answer in talker.refused]
    polite = sum("Retry-After" in answer.headers for answer in refused)
    at_once = [answer.elapsed.total_seconds() * 1000 for answer in refused] or [0.0]
    times = sorted(one.taken_s * 1000 for one in taken if one.tries == 1)
    each = sorted(len(talker.taken) for talker in talkers)
    print(f"taken: {len(taken)}, {len(taken) / for_s:.1f} a second; of each user {each}")
    print(f"at the first try: {len(times)}, p50 {statistics.median(times):.0f} ms, "
          f"p95 {times[int(len(times) * 0.95)]:.0f} ms")  # fmt: skip
    print(f"refused with 503: {len(refused)}, with Retry-After {polite}, "
          f"p50 {statistics.median(at_once):.0f} ms")  # fmt: skip
    print(f"never taken: {sum(len(talker.given_up) for talker in talkers)}")


def show_jobs(site: Supervised, gaps: Sequence[int]) -> None:
    print(f"widest gap, messages: {gaps[len(gaps) // 4]} after a quarter, {max(gaps)} at most")
    print(f"the long conversation was read to its end by then: {_value(site, LONG_BEHIND) == 0}")
    began = time.monotonic()
    is_quiet = wait_until(
        lambda: not find_breaches(site.database, read_settings(), quiet=True), QUIET_S
    )
    print(f"all caught up: {is_quiet}, {time.monotonic() - began:.1f} s after the last reply")


def _value(site: Supervised, sql: str) -> int:
    with site.database.transaction() as connection:
        row = fetch_row(connection, sql)
    assert row is not None  # noqa: S101 - an aggregate
    return int(row["n"])


if __name__ == "__main__":
    main()
