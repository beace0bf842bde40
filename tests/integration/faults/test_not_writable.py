"""Services that answer and take no writes: whoever asks is told so, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg2
import pytest
import redis

from shared.db import fetch_row
from tests.e2e.breakable import BreakableServices, breakable_services
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.services import owner_url
from tests.waiting import wait_for

ROOM = ("size=400m", "mode=711")


@pytest.fixture(scope="module")
def breakable() -> Iterator[BreakableServices]:
    with breakable_services(*ROOM) as services:
        yield services


@pytest.fixture
def site(
    breakable: BreakableServices,
    make_separate_browser: MakeBrowser,
    monkeypatch: pytest.MonkeyPatch,
) -> Browser:
    monkeypatch.setattr("web.operations.readiness.WRITE_EVERY_S", 0)
    monkeypatch.setattr("web.operations.backlog.KEPT_S", 0)
    monkeypatch.setattr("web.operations.doctor_runs.KEPT_S", 0.001)
    fields = {name.lower(): value for name, value in breakable.environment.items()}
    return make_separate_browser(**fields)


def find_problems(site: Browser) -> dict[str, str]:
    checks = site.client.post("/api/v1/operations/doctor").get_json()["checks"]
    return {check["check"]: check["says"] for check in checks if check["status"] == "problem"}


def find_alerts(site: Browser) -> set[str]:
    alerts = site.get("/api/v1/operations/status")["alerts"]
    return {alert["alert"] for alert in alerts if alert["state"] == "wrong"}


def read_readiness(site: Browser) -> tuple[int, Any]:
    answer = site.client.get("/readyz")
    return answer.status_code, answer.get_json()


def assert_told(site: Browser, reason: str) -> None:
    """Everywhere, and by a chat itself. What is read is still there."""
    wait_for(lambda: site.chat("Not taken").status_code == 503)  # pages with room come first
    status, readiness = read_readiness(site)
    assert (status, readiness["ready"], readiness["reason"]) == (503, False, reason)
    assert readiness["schema"]
    assert find_problems(site)["writing"].endswith(reason)
    assert "DatabaseNotWritable" in find_alerts(site)
    assert site.get("/api/v1/operations/status")["backup"] is not None
    assert "throughline_database_writable 0.0" in site.client.get("/metrics").text
    assert site.get("/api/v1/conversations")["conversations"]


def assert_healed(site: Browser) -> None:
    wait_for(lambda: site.chat("Taken again").status_code == 200)
    assert read_readiness(site)[0] == 200
    assert "writing" not in find_problems(site)
    assert "DatabaseNotWritable" not in find_alerts(site)


def test_a_postgres_without_room_is_not_ready(breakable: BreakableServices, site: Browser) -> None:
    assert breakable.disk is not None
    assert site.chat("Taken").status_code == 200
    assert read_readiness(site)[0] == 200
    breakable.disk.fill()
    try:
        assert_told(site, "disk_full")
    finally:
        breakable.disk.clear()
    assert_healed(site)


def test_a_postgres_that_only_reads_is_not_ready(
    breakable: BreakableServices, site: Browser
) -> None:
    assert site.chat("Taken").status_code == 200
    set_read_only(breakable, is_read_only=True)
    try:
        assert_told(site, "read_only")
    finally:
        set_read_only(breakable, is_read_only=False)
    assert_healed(site)


def set_read_only(breakable: BreakableServices, *, is_read_only: bool) -> None:
    """For new connections, which all are after this."""
    url = owner_url(breakable.environment["DATABASE_URL"])
    connection = psycopg2.connect(url, options="-c default_transaction_read_only=off")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE site SET default_transaction_read_only = {is_read_only}")
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'site'"
            " AND pid <> pg_backend_pid()"
        )
    connection.close()


def test_asking_often_writes_once(
    breakable: BreakableServices, make_separate_browser: MakeBrowser
) -> None:
    fields = {name.lower(): value for name, value in breakable.environment.items()}
    site = make_separate_browser(**fields)
    assert site.chat("Taken").status_code == 200
    before = count_files(site)
    for _ in range(5):
        assert site.client.get("/readyz").status_code == 200
    wait_for(lambda: count_files(site) == before + 1)


def count_files(site: Browser) -> int:
    """The temporary files that Postgres has written. The number comes when a backend is idle."""
    with site.context.services.database.transaction() as connection:
        row = fetch_row(
            connection,
            "SELECT temp_files::int AS count FROM pg_stat_database"
            " WHERE datname = current_database()",
        )
    assert row is not None
    return int(row["count"])


@pytest.mark.parametrize(
    "commands",
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    ],
)
def test_a_redis_that_takes_no_writes_is_told_and_rounds_go_on(
    breakable: BreakableServices, site: Browser, commands: tuple[str, str]
) -> None:
    breaking, mending = commands
    with redis.Redis.from_url(breakable.environment["REDIS_URL"]) as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.execute_command(*breaking.split())
        try:
            status, readiness = read_readiness(site)
            assert (status, readiness["redis"]) == (200, False)
            assert find_problems(site)["redis"] == "Redis takes no writes"
            assert "RedisDown" in find_alerts(site)
            assert site.chat("Taken").status_code == 200
        finally:
            client.execute_command(*mending.split())
    assert read_readiness(site)[1]["redis"] is True
