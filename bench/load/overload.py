"""More rounds and jobs than the site can do: `python -m bench.load.overload --minutes 0.5`.

All users send without a pause to a site that writes few replies at once (`--places` sets
MAX_LIVE_ROUNDS) and has one worker thread. Prints how many messages were answered or refused and
how fast (milliseconds), the widest gap (messages), the largest prompt (tokens), and the seconds
until all jobs are done. Before that it prints how long the jobs of one user wait, alone and beside
an import of thousands of messages.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import click
import httpx

from bench.harness.site import USER_HEADER, BenchSite, running_site
from bench.harness.talkers import Talker, talking

QUIET_S = 300.0
ALONE_S = 15.0
IMPORTED = 300
IMPORTED_ROUNDS = 10
GAP = """
    SELECT coalesce(max(c.last_sequence - coalesce(newest.covered, -1)), 0) AS n
    FROM conversations c
    LEFT JOIN LATERAL (SELECT max(end_sequence) AS covered FROM memory m
                       WHERE m.conversation_id = c.conversation_id
                         AND m.status = 'completed') newest ON true
    WHERE c.source_key IS NULL
"""
IMPORT_LEFT = """
    SELECT count(*) AS n FROM jobs JOIN conversations USING (conversation_id)
    WHERE source_key IS NOT NULL AND status = 'processing'
"""
WAITS = """
    SELECT count(*) AS n, count(begun_at) AS begun,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) AS half,
           coalesce(max(waited), 0) AS longest
    FROM (SELECT begun_at,
                 extract(epoch FROM coalesce(begun_at, now()) - jobs.created_at)::float AS waited
          FROM jobs JOIN conversations USING (conversation_id)
          WHERE user_id = %(user)s) AS own
"""
LARGEST_PROMPT = """
    SELECT coalesce(max((trace -> 'tokens' ->> 'given')::int), 0) AS given,
           coalesce(max((trace -> 'tokens' ->> 'budget')::int), 0) AS budget
    FROM messages WHERE role = 'assistant'
"""


@click.command()
@click.option("--minutes", default=1.0, show_default=True)
@click.option("--users", default=16, show_default=True)
@click.option("--places", default=8, show_default=True)
def main(*, minutes: float, users: int, places: int) -> None:
    print(f"{users} users without a pause, {places} places, one worker thread, {minutes:g} min")
    with running_site({"MAX_LIVE_ROUNDS": str(places), "WORKER_LLM_THREADS": "1"}) as site:
        warm_up(site)
        talk_alone(site, "alone", "with nothing beside them")
        import_many(site)
        talk_alone(site, "beside", "beside the import")
        with talking(site.url, [f"user-{number}" for number in range(users)], 0) as talkers:
            gaps = watch_gaps(site, minutes * 60)
        show_answers(talkers, minutes * 60)
        show_jobs(site, gaps)


def talk_alone(site: BenchSite, user: str, what: str) -> None:
    """One user, a second between messages: how long do the jobs wait for the worker?"""
    with talking(site.url, [user], 1.0):
        time.sleep(ALONE_S)
    row = site.fetch_row(WAITS, user=user)
    print(f"jobs of one person, {what}: {row['begun']} of {row['n']} begun, waited p50 "
          f"{row['half'] or 0:.2f} s, longest {row['longest']:.2f} s; "
          f"{site.fetch_row(IMPORT_LEFT)['n']} jobs of the import left")  # fmt: skip


def warm_up(site: BenchSite) -> None:
    """Load what the first reply loads, so that it is not measured."""
    headers = {USER_HEADER: "early"}
    httpx.post(f"{site.url}/chat", json={"message": "Hello"}, headers=headers, timeout=120)


def import_many(site: BenchSite) -> None:
    """Import conversations whose summaries, facts and titles are due at once."""
    messages = [
        {"role": role, "content": f"Line {number}: I like tea."}
        for number in range(IMPORTED_ROUNDS)
        for role in ("user", "assistant")
    ]
    past = [{"id": f"past-{number}", "messages": messages} for number in range(IMPORTED)]
    headers = {USER_HEADER: "importer", "Content-Type": "application/json"}
    answer = httpx.post(f"{site.url}/api/v1/imports", json=past, headers=headers, timeout=300)
    print(f"imported {IMPORTED} conversations of {len(messages)} messages: {answer.status_code}")


def watch_gaps(site: BenchSite, for_s: float) -> list[int]:
    """Note the widest gap of any conversation, once a second."""
    gaps: list[int] = []
    deadline = time.monotonic() + for_s
    while time.monotonic() < deadline:
        gaps.append(site.fetch_row(GAP)["n"])
        time.sleep(1)
    return gaps


def show_answers(talkers: Sequence[Talker], for_s: float) -> None:
    messages = [message for talker in talkers for message in talker.messages]
    refused = [answer for talker in talkers for answer in talker.refused]
    polite = sum("Retry-After" in answer.headers for answer in refused)
    at_once = [answer.elapsed.total_seconds() * 1000 for answer in refused] or [0.0]
    times = sorted(message.taken_s * 1000 for message in messages if message.tries == 1)
    each = sorted(len(talker.messages) for talker in talkers)
    print(f"taken: {len(messages)}, {len(messages) / for_s:.1f} a second; of each user {each}")
    print(f"at the first try: {len(times)}, p50 {statistics.median(times):.0f} ms, "
          f"p95 {times[int(len(times) * 0.95)]:.0f} ms")  # fmt: skip
    print(f"refused with 503: {len(refused)}, with Retry-After {polite}, "
          f"p50 {statistics.median(at_once):.0f} ms")  # fmt: skip
    print(f"never taken: {sum(len(talker.given_up) for talker in talkers)}")


def show_jobs(site: BenchSite, gaps: Sequence[int]) -> None:
    print(f"widest gap, messages: {gaps[len(gaps) // 4]} after a quarter, {max(gaps)} at most")
    prompt = site.fetch_row(LARGEST_PROMPT)
    print(f"largest prompt, tokens: {prompt['given']} of CTX_TOKENS {prompt['budget']}")
    print(f"jobs of the import left by then: {site.fetch_row(IMPORT_LEFT)['n']}")
    began = time.monotonic()
    is_quiet = site.wait_for_jobs(QUIET_S)
    print(f"all caught up: {is_quiet}, {time.monotonic() - began:.1f} s after the last reply")


if __name__ == "__main__":
    main()
