"""Fixtures that start the real site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.site import Site, running_site
from tests.services import Services, as_application

# Short, so that faults are mended within a test's patience. Each sweep takes 15 ms of CPU.
QUICK = {"SWEEP_EVERY_S": "2"}
# For those that kill what has a lease. On a busy machine a renewal may come seconds late.
SHORT_LEASE_S = 10
SHORT_LEASE = {"LEASE_S": str(SHORT_LEASE_S)}

# The site that lives as long as these tests has a Redis database of its own.
SHARED_SITE = 3
IMPORT_MAX_BYTES = 6_000_000

MakeSite = Callable[..., Site]


def environment_of(services: Services, database_url: str, number: int = 0) -> dict[str, str]:
    """`number`: of the Redis database. Sites that run side by side would take each other's jobs."""
    redis_url = services.valkey.url.replace("?db=0", f"?db={number}")
    urls = {"DATABASE_URL": as_application(database_url), "REDIS_URL": redis_url}
    return urls | QUICK


@pytest.fixture(scope="package")
def site(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests of sites, with the stand-in model.

    Tests leave it as they find it: what they break they heal.
    """
    folder = tmp_path_factory.mktemp("site")
    with services.databases.lend() as url:
        environment = environment_of(services, url, SHARED_SITE)
        environment["IMPORT_MAX_BYTES"] = str(IMPORT_MAX_BYTES)
        with running_site(environment, folder, "web", "worker-llm", "beat") as running:
            yield running


@pytest.fixture
def make_site(
    services: Services, database_url: str, redis_url: str, tmp_path: Path
) -> Iterator[MakeSite]:
    """A site of a test's own: `make_site("web", "worker-llm", LLM_MODEL=…)`."""
    with ExitStack() as stack:

        def make(*names: str, **environment: str) -> Site:
            variables = environment_of(services, database_url) | environment
            return stack.enter_context(running_site(variables, tmp_path, *names))

        yield make
