"""Workers of a site without a page, and jobs for them, for `bench.scaling`."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.jobs import KINDS, claim
from bench.site import wait_until
from shared.broker import send_due
from shared.db import Database, Row, fetch_row, fetch_rows
from shared.models import Due, Kind
from shared.services import Services as Product
from shared.settings import read_settings
from supervisor.environment import process_environment
from tests.e2e.breakable import BreakableServices
from tests.e2e.site import Site
from tests.services import owner_url

START_S = 90
LIMIT_S = 120
POLL_S = 0.25
#: A killed worker's jobs are free again after this, and sent again by the sweep.
SHORT_LEASES = {"LEASE_S": "10", "SWEEP_EVERY_S": "2.5"}
STATE = """
    SELECT count(*) AS jobs, count(*) FILTER (WHERE status = 'processing') AS left,
           count(*) FILTER (WHERE status = 'failed') AS failed,
           count(*) FILTER (WHERE attempts > 1) AS again,
           coalesce(extract(epoch FROM max(finished_at) - min(begun_at)), 0)::float AS taken_s
    FROM jobs JOIN conversations USING (conversation_id) WHERE user_id LIKE %(like)s
"""
UNDONE = """
    SELECT given.kind, given.job_id
    FROM unnest(%(kinds)s::text[], %(ids)s::bigint[]) AS given (kind, job_id)
    WHERE (SELECT count(*) FROM jobs
           WHERE jobs.kind = given.kind AND jobs.job_id = given.job_id
             AND jobs.status = 'completed') <> 1
"""


@dataclass(frozen=True, kw_only=True)
class Crew:
    """Workers, their databases, and the jobs that the bench gives them."""

    site: Site
    product: Product
    #: As the owner, who sees the rows of all users.
    database: Database
    databases: Sequence[int]

    def start(self, *names: str) -> None:
        """Returns when these workers take jobs."""
        self.site.start(*names)
        for name in names:
            wait_for_worker(self.site.log(name))

    def count_logged(self, event: str) -> int:
        """Of all its processes."""
        logs = list(self.site.log_path("any").parent.glob("*.log"))
        return sum(log.read_text(errors="replace").count(event) for log in logs)

    def pids(self, prefix: str) -> list[int]:
        running = self.site.running.items()
        return [process.pid for name, process in running if name.startswith(prefix)]

    def claim(self, block: str, count: int, kinds: Sequence[Kind] = KINDS) -> list[Due]:
        """Claim about `count` jobs of these kinds, for new users, and send none of them."""
        return claim(self.product, f"{block}-", kinds, -(-count // len(kinds)))

    def send(self, due: Sequence[Due]) -> None:
        send_due(self.product.broker, due)

    def state_of(self, block: str) -> Row:
        """Of the jobs of a block: how many there are, are left, failed, were begun again."""
        with self.database.transaction() as connection:
            row = fetch_row(connection, STATE, like=f"{block}-%")
        assert row is not None  # noqa: S101 - an aggregate
        return row

    def wait(self, block: str, meanwhile: Callable[[], object] = lambda: None) -> Row:
        """Until no job is left. `meanwhile` is called at each look."""

        def is_done() -> bool:
            meanwhile()
            return bool(self.state_of(block)["left"] == 0)

        if not wait_until(is_done, LIMIT_S, POLL_S):
            raise SystemExit(f"jobs are left after {LIMIT_S} s: {dict(self.state_of(block))}")
        return self.state_of(block)

    def list_undone(self, due: Sequence[Due]) -> list[Row]:
        """Claimed jobs that are not there once, completed."""
        kinds, ids = [job.kind for job in due], [job.job_id for job in due]
        with self.database.transaction() as connection:
            return fetch_rows(connection, UNDONE, kinds=kinds, ids=ids)


class SiteInside(Site):
    """A site whose commands all stand behind another one, such as `ip netns exec`."""

    def __init__(self, environment: Mapping[str, str], folder: Path, inside: Sequence[str]) -> None:
        super().__init__(environment, folder)
        commands = {
            name: f"{shlex.join(inside)} {command}" for name, command in self._commands.items()
        }
        self._commands = commands


@contextmanager
def running_crew(
    services: BreakableServices,
    model_url: str,
    threads: int,
    inside: Sequence[str] = (),
    **settings: str,
) -> Iterator[Crew]:
    """Starts no process yet. All that were started have ended when the block ends.

    `inside` stands before the commands of the processes; `settings` are theirs alone.
    """
    folder = Path(services.postgres.log).parent / f"site-{time.time_ns()}"
    folder.mkdir()
    defaults = {"LLM_MODEL": "slow-model", "LLM_API_BASE": model_url, "MEMORY_MAX_CALLS": "1000"}
    added = services.environment | defaults | settings
    environment = process_environment(os.environ, added, may_download=False)
    site = SiteInside(environment, folder, inside)
    site.environment["WORKER_LLM_THREADS"] = str(threads)
    known = {name.lower(): value for name, value in services.environment.items()}
    product = Product(read_settings(**known))
    owner = Database(owner_url(services.environment["DATABASE_URL"]), pool_size=1)
    databases = [services.postgres.process, services.valkey.process]
    try:
        yield Crew(
            site=site,
            product=product,
            database=owner,
            databases=[process.pid for process in databases if process is not None],
        )
    finally:
        site.stop()
        product.close()
        owner.close()


def wait_for_worker(log: Callable[[], str]) -> None:
    if not wait_until(lambda: " ready." in log(), START_S):
        raise SystemExit(log())
