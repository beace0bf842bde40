"""How long the jobs of a killed worker wait: `python -m bench.recovery`.

Starts a whole site under its supervisor, with a slow model. Kills a worker in the middle of its
jobs and does nothing else. Prints the seconds until its jobs are free for other workers (allowed
are the lease and 10 s), until another worker has begun them, and until they are done. With one
worker-llm, the second time includes its restart, which loads litellm.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import click
import httpx

from bench.site import wait_until
from bench.supervised import USER_HEADER, Supervised, supervised
from bench.users import Talker
from shared.db import fetch_rows
from tests.fakes.openai_server import FakeOpenAI, running_openai_server
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

UNDONE = "SELECT 1 FROM jobs WHERE status = 'processing'"

Jobs = dict[tuple[str, int], tuple[str, int | None]]  # (kind, id) -> (status, fencing token)


@dataclass(frozen=True, kw_only=True)
class Recovered:
    """Seconds from the kill until this held for the last of the jobs. None: not in time."""

    held: int
    freed_s: float | None
    begun_s: float | None
    done_s: float | None


@click.command()
@click.option("--kills", default=5, show_default=True)
@click.option("--workers", default=1, show_default=True)
@click.option("--killed", default=1, show_default=True, help="Of them, at once.")
@click.option("--lease", default=10.0, show_default=True)
@click.option("--users", default=0, show_default=True, help="Talking meanwhile without a pause.")
def main(*, kills: int, workers: int, killed: int, lease: float, users: int) -> None:
    print(f"{kills} kills of {killed} of {workers} worker-llm, LEASE_S={lease:g}, "
          f"{users} users talk meanwhile")  # fmt: skip
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="throughline-recovery-") as folder:
        Path(folder).chmod(0o711)
        with running_openai_server() as model:
            answer_well(model, delay_s=ANSWER_S)
            settings = settings_of(model, workers, lease)
            with supervised(Path(folder, "data"), **settings) as site:
                warm_up(site)
                recovered = kill_again_and_again(site, kills, killed, users)
    late = show(recovered, lease + ALLOWED_S)
    raise SystemExit(1 if late else 0)


def settings_of(model: FakeOpenAI, workers: int, lease: float) -> dict[str, str]:
    return {
        "FORMATION": f"flower=0,worker-llm={workers}",
        "LEASE_S": str(lease),
        "LLM_MODEL": "fake-model",
        "LLM_API_BASE": model.base_url,
        "LLM_API_KEY": "sk-test",
    }


def warm_up(site: Supervised) -> None:
    """A worker-llm that loads litellm is not to be measured here. At the first kill worker-embed
    is likely to be loading its model still: it must sweep all the same."""
    talk(site, "early")
    if not wait_until(lambda: not is_anything_undone(site), WARM_S):
        print(f"not everything was done within {WARM_S:g} s of the start")


def is_anything_undone(site: Supervised) -> bool:
    with site.database.transaction() as connection:
        return bool(fetch_rows(connection, UNDONE))


def kill_again_and_again(site: Supervised, kills: int, killed: int, users: int) -> list[Recovered]:
    stopped = threading.Event()
    talkers = [Talker(site.url, f"user-{n}", 0, stopped) for n in range(users)]
    for talker in talkers:
        talker.start()
    recovered = [kill_once(site, number, killed) for number in range(kills)]
    stopped.set()
    for talker in talkers:
        talker.join()
    return recovered


def kill_once(site: Supervised, number: int, killed: int) -> Recovered:
    talk(site, f"killed-{number}")
    wait_until(lambda: bool(list_jobs(site, running=True)), LIMIT_S, POLL_S)
    time.sleep(ANSWER_S / 2)  # in the middle of the model's answer
    site.kill("worker-llm", killed)
    began = time.monotonic()
    running_jobs = list_jobs(site, running=True)
    freed_s = begun_s = done_s = None
    while time.monotonic() - began < LIMIT_S and done_s is None:
        time.sleep(POLL_S)
        now = list_jobs(site, running=False)
        taken_s = time.monotonic() - began
        if freed_s is None and all(
            _is_free(*now[job], token) for job, (_, token) in running_jobs.items()
        ):
            freed_s = taken_s
        if begun_s is None and all(
            _is_begun(*now[job], token) for job, (_, token) in running_jobs.items()
        ):
            begun_s = taken_s
        if all(now[job][0] == "completed" for job in running_jobs):
            done_s = taken_s
    return Recovered(held=len(running_jobs), freed_s=freed_s, begun_s=begun_s, done_s=done_s)


def talk(site: Supervised, user: str) -> None:
    conversation: dict[str, str] = {}
    headers = {USER_HEADER: user}
    for number in range(ROUNDS):
        body = {"message": f"Number {number}: I live in Oslo."} | conversation
        answer = httpx.post(f"{site.url}/chat", json=body, headers=headers, timeout=120)
        conversation = {"conversation_id": answer.raise_for_status().json()["conversation_id"]}


def list_jobs(site: Supervised, *, running: bool) -> Jobs:
    """All jobs, or those that are running."""
    with site.database.transaction() as connection:
        rows = fetch_rows(connection, LIST_JOBS, running=running)
    return {(r["kind"], r["job_id"]): (r["status"], r["fencing_token"]) for r in rows}


def show(recovered: list[Recovered], allowed_s: float) -> int:
    """Returns how many jobs were free later than allowed."""
    print(f"{'kill':>4} {'held':>5} {'free s':>8} {'begun s':>8} {'done s':>8}")
    for number, kill in enumerate(recovered, 1):
        cells = "".join(
            f" {_cell(seconds):>8}" for seconds in (kill.freed_s, kill.begun_s, kill.done_s)
        )
        print(f"{number:4} {kill.held:5}{cells}")
    late = sum(kill.freed_s is None or kill.freed_s > allowed_s for kill in recovered)
    print(f"later than lease + {ALLOWED_S} s ({allowed_s:g} s): {late} of {len(recovered)}")
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
