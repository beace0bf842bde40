"""The site in one look, for operators: `/api/v1/operations/status`."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from migrations import newest_revision
from shared.maintenance.sweep import sweep
from shared.store.upkeep import backups
from shared.store.upkeep.backups import MadeBackup
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.test_operations import SAID, converse
from tests.integration.worker import run_sql
from tests.waiting import PATIENCE_S


def test_the_site_is_told_in_one_look(browser: Browser) -> None:
    converse(browser)
    sweep(browser.context.services)
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    status = browser.get("/api/v1/operations/status")
    assert (status["reason"], status["schema_revision"]) == (None, newest_revision())
    assert status["free_bytes"] > 0
    assert status["swept_s"] >= 0
    assert status["erased_at"]
    values = {
        (sample["metric"], *sample["labels"].values()): sample["value"]
        for sample in status["numbers"]
    }
    assert values["throughline_database_up",] == 1
    assert ("throughline_queue_length", "summaries") in values
    assert {alert["state"] for alert in status["alerts"]} == {"ok"}
    assert SAID not in json.dumps(status)


def test_of_the_alerts_what_is_wrong_comes_first(browser: Browser) -> None:
    services = browser.context.services
    sweep(services)
    browser.chat()
    run_sql(services, "UPDATE fact_extractions SET created_at = created_at - interval '20 minutes'")
    alerts = browser.get("/api/v1/operations/status")["alerts"]
    wrong = [alert for alert in alerts if alert["state"] == "wrong"]
    assert alerts[: len(wrong)] == wrong
    assert [alert["alert"] for alert in wrong] == ["JobsStuck", "MemoryLags"]
    assert (wrong[0]["metric"], wrong[0]["value"]) == ("throughline_stuck_jobs", 1)
    assert 1200 <= wrong[1]["value"] < 1200 + PATIENCE_S


def test_without_its_services_the_site_says_so_in_one_look(make_browser: MakeBrowser) -> None:
    nowhere = {"database_url": "postgresql://x@127.0.0.1:1/x", "redis_url": "redis://127.0.0.1:1/0"}
    status = make_browser(**nowhere).get("/api/v1/operations/status")
    assert (status["reason"], status["swept_s"], status["erased_at"]) == (
        "not_reachable",
        None,
        None,
    )
    assert status["backup"] is None
    values = {sample["metric"]: sample["value"] for sample in status["numbers"]}
    assert values == {f"throughline_{what}_up": 0 for what in ("database", "broker", "redis")}
    assert [(alert["alert"], alert["state"]) for alert in status["alerts"]] == [
        ("DatabaseDown", "wrong"),
        ("RedisDown", "wrong"),
        ("BrokerDown", "wrong"),
        ("DatabaseNotWritable", "unknown"),
        ("SweepSilent", "unknown"),
        ("JobsStuck", "unknown"),
        ("MemoryLags", "unknown"),
        ("EmbeddingLags", "unknown"),
    ]


def test_the_last_backup_is_told_and_what_became_of_the_one_after(
    make_browser: MakeBrowser,
) -> None:
    browser = make_browser(backup_folder="/backups")
    services = browser.context.services
    never = look_at_backup(browser)
    assert never == dict.fromkeys(never, None) | {"is_overdue": True}
    now = datetime.now(UTC)
    backup = MadeBackup(begun_at=now - timedelta(hours=25), byte_count=1_200_000, has_secrets=False)
    with services.database.upkeep() as connection:
        backups.note_made(connection, backup)
    status = look_at_backup(browser)
    assert (status["byte_count"], status["has_secrets"]) == (1_200_000, False)
    assert (status["failed_at"], status["is_overdue"]) == (None, False)
    with services.database.upkeep() as connection:
        backups.note_made(connection, replace(backup, begun_at=now - timedelta(hours=27)))
    with services.database.upkeep() as connection:
        backups.note_failed(connection, now, "no_room")
    status = look_at_backup(browser)
    assert status["made_at"]
    assert status["failed_at"]
    assert (status["failure"], status["is_overdue"]) == ("no_room", True)


def look_at_backup(browser: Browser) -> dict[str, Any]:
    backup: dict[str, Any] = browser.get("/api/v1/operations/status")["backup"]
    return backup
