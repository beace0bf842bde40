"""How long the jobs of a killed worker wait: `python -m bench.faults.recovery`.

Starts a whole site under its supervisor, with a slow model. Kills a worker in the middle of its
jobs and does nothing else. Prints the seconds until its jobs are free for other workers (allowed
are the lease and 10 s), until another worker has begun them, and until they are done. With one
worker-llm, the second time includes its restart, which loads litellm.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import click

from bench.harness.client import Client
from bench.harness.site import USER_HEADER, BenchSite, model_settings, running_site, wait_until
from bench.harness.talkers import talking
from shared.db import fetch_rows
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import running_openai_server
from tests.integration.faults.answers import answer_well

ALLOWED_S = 10  # on top of the lease
ANSWER_S = 3.0  # of the model
LIMIT_S = 180.0
WARM_S = 60.0
ROUNDS = 3
POLL_S = 0.1
LIST_JOBS = """
    SELECT kind, job_id, status, fencing_token
    FROM (SELECT 'summary' AS kind, memory_id AS job_id, status, fencing_token FROM memory
          UNION ALL SELECT 'episode', id, status, fencing_token FROM episodic_memory
          UNION ALL SELECT 'facts', id, status, fencing_token FROM fact_extractions) AS jobs
    WHERE NOT %(running)s OR (status = 'processing' AND fencing_token IS NOT NULL)
"""
UNDONE = "SELECT count(*) AS n FROM jobs WHERE status = 'processing'"

Jobs = dict[tuple[str, int], tuple[str, int | None]]  # (kind, id) -> (status, fencing token)


@dataclass(kw_only=True)
class Recovery:
    """Seconds from the kill until this held for the last of the jobs. None: not in time."""

    jobs: int
    freed_s: float | None = None
    begun_s: float | None = None
    done_s: float | None = None


@click.command()
@click.option("--kills", default=5, show_default=True)
@click.option("--workers", default=1, show_default=True)
@click.option("--killed", default=1, show_default=True, help="Of them, at once.")
@click.option("--lease", default=10.0, show_default=True)
@click.option("--users", default=0, show_default=True, help="Talking meanwhile without a pause.")
def main(*, kills: int, workers: int, killed: int, lease: float, users: int) -> None:
    print(f"{kills} kills of {killed} of {workers} worker-llm, LEASE_S={lease:g}, "
          f"{users} users talk meanwhile")  # fmt: skip
    with running_openai_server() as model:
        answer_well(model, delay_s=ANSWER_S)
        settings = model_settings(model.base_url, FAKE_MODEL) | {
            "FORMATION": f"flower=0,worker-llm={workers}",
            "LEASE_S": str(lease),
        }
        with running_site(settings) as site:
            warm_up(site)
            with talking(site.url, [f"user-{number}" for number in range(users)], 0):
                recoveries = [kill_once(site, number, killed) for number in range(kills)]
    late = show(recoveries, lease + ALLOWED_S)
    raise SystemExit(1 if late else 0)


def warm_up(site: BenchSite) -> None:
    """A worker-llm that loads litellm is not to be measured here. At the first kill worker-embed
    is likely to be loading its model still: it must sweep all the same."""
    talk(site, "early")
    if not wait_until(lambda: site.fetch_row(UNDONE)["n"] == 0, WARM_S):
        print(f"not everything was done within {WARM_S:g} s of the start")


def kill_once(site: BenchSite, number: int, killed: int) -> Recovery:
    talk(site, f"killed-{number}")
    wait_until(lambda: bool(list_jobs(site, running=True)), LIMIT_S, POLL_S)
    time.sleep(ANSWER_S / 2)  # in the middle of the model's answer
    site.kill("worker-llm", killed)
    began = time.monotonic()
    tokens = {job: token for job, (_, token) in list_jobs(site, running=True).items()}
    recovery = Recovery(jobs=len(tokens))
    while time.monotonic() - began < LIMIT_S and recovery.done_s is None:
        time.sleep(POLL_S)
        now = list_jobs(site, running=False)
        taken_s = time.monotonic() - began
        if recovery.freed_s is None and all(_is_free(*now[job], tokens[job]) for job in tokens):
            recovery.freed_s = taken_s
        if recovery.begun_s is None and all(_is_begun(*now[job], tokens[job]) for job in tokens):
            recovery.begun_s = taken_s
        if all(now[job][0] == "completed" for job in tokens):
            recovery.done_s = taken_s
    return recovery


def talk(site: BenchSite, user: str) -> None:
    client, conversation_id = Client(site.url, {USER_HEADER: user}), None
    for number in range(ROUNDS):
        answer = client.send(f"Number {number}: I live in Oslo.", conversation_id)
        if answer.error:
            raise SystemExit(answer.error)
        conversation_id = answer.conversation_id
    client.close()


def list_jobs(site: BenchSite, *, running: bool) -> Jobs:
    """All jobs, or those that are running."""
    with site.database.transaction() as connection:
        rows = fetch_rows(connection, LIST_JOBS, running=running)
    return {(r["kind"], r["job_id"]): (r["status"], r["fencing_token"]) for r in rows}


def show(recoveries: list[Recovery], allowed_s: float) -> int:
    """Returns how many jobs were free later than allowed."""
    print(f"{'kill':>4} {'held':>5} {'free s':>8} {'begun s':>8} {'done s':>8}")
    for number, kill in enumerate(recoveries, 1):
        times = (kill.freed_s, kill.begun_s, kill.done_s)
        print(f"{number:4} {kill.jobs:5}" + "".join(f" {_cell(each):>8}" for each in times))
    late = sum(kill.freed_s is None or kill.freed_s > allowed_s for kill in recoveries)
    print(f"later than lease + {ALLOWED_S} s ({allowed_s:g} s): {late} of {len(recoveries)}")
    return late


def _is_free(status: str, token: int | None, old_token: int | None) -> bool:
    """Free, or already done by another worker."""
    return status != "processing" or token != old_token


def _is_begun(status: str, token: int | None, old_token: int | None) -> bool:
    return status != "processing" or (token is not None and token != old_token)


def _cell(taken_s: float | None) -> str:
    return "never" if taken_s is None else f"{taken_s:.1f}"


if __name__ == "__main__":
    main()
