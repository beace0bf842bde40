"""What /metrics tells of the work that waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

import pytest
from celery import Celery
from prometheus_client.parser import text_string_to_metric_families

from shared.broker.queues import find_waiting
from shared.db import execute
from shared.errors import DatabaseUnavailableError
from shared.llm import ChatMessage, ModelRequest, complete
from shared.services import Services
from shared.settings import read_settings
from shared.store.upkeep import backups
from shared.store.upkeep.backups import MadeBackup
from tests.integration.web.conftest import Browser
from tests.services import as_owner
from web.operations.backlog import Backlog

Samples = dict[tuple[str, str], float]


def read(browser: Browser) -> Samples:
    """The values by name and labels, read anew."""
    browser.context.backlog._read_at = float("-inf")
    text = browser.client.get("/metrics").get_data(as_text=True)
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_waiting_jobs_are_told_with_their_age(browser: Browser) -> None:
    conversation_id = None
    for _ in range(4):
        answer = browser.chat("I grow tulips.", conversation_id=conversation_id)
        conversation_id = answer.get_json()["conversation_id"]
    with as_owner(browser.context.services) as connection:
        execute(connection, "UPDATE memory SET created_at = now() - interval '2 hours'")

    values = read(browser)

    assert values["throughline_jobs", "summary,queued"] == 1
    assert 7200 <= values["throughline_oldest_job_seconds", "summary,queued"] < 7300
    assert values["throughline_stuck_jobs", ""] == 1
    assert values["throughline_unembedded_messages", ""] == 8
    assert ("throughline_queue_length", "summaries") in values
    assert {values[f"throughline_{what}_up", ""] for what in ("database", "broker", "redis")} == {1}


def test_backups_are_told_where_they_are_made_by_schedule(
    browser: Browser, make_browser: Callable[..., Browser]
) -> None:
    assert not any("backup" in name for name, _ in read(browser))
    scheduled = make_browser(backup_folder="/backups")
    made_at = datetime.now(UTC) - timedelta(hours=2)
    with scheduled.context.services.database.upkeep() as connection:
        never = read(scheduled)
        backup = MadeBackup(begun_at=made_at, byte_count=1, has_secrets=True)
        backups.note_made(connection, backup)
    samples = read(scheduled)
    assert never["throughline_backup_age_seconds", ""] > 10**9
    assert 7200 <= samples["throughline_backup_age_seconds", ""] < 7300
    assert samples["throughline_backup_failed", ""] == 0
    with scheduled.context.services.database.upkeep() as connection:
        backups.note_failed(connection, made_at, "no_folder")
    assert read(scheduled)["throughline_backup_failed", ""] == 1


def test_the_steps_calls_and_tokens_of_a_round_are_counted(browser: Browser) -> None:
    before = read(browser)
    browser.chat("I grow tulips.")
    after = read(browser)

    def grown(name: str, labels: str) -> float:
        return after[name, labels] - before.get((name, labels), 0)

    assert grown("throughline_step_seconds_count", "model") == 1
    assert grown("throughline_model_calls_total", "offline/extractive,ok,reply") == 1
    assert grown("throughline_model_tokens_total", "out,offline/extractive,reply") > 0


def test_a_name_that_no_setting_has_makes_no_label_of_its_own(browser: Browser) -> None:
    hello = (ChatMessage(role="user", content="Hello"),)
    request = ModelRequest(model="offline/anything", messages=hello, purpose="reply")
    complete(request, read_settings())

    assert not any("offline/anything" in labels for _, labels in read(browser))


def test_what_cannot_be_read_is_left_out(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseUnavailableError

    monkeypatch.setattr(browser.context.services.database, "upkeep", fail)

    values = read(browser)

    assert values["throughline_database_up", ""] == 0
    assert ("throughline_stuck_jobs", "") not in values
    assert values["throughline_redis_up", ""] == 1


def test_asking_often_reads_once(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    backlog = Backlog(browser.context.services)
    calls: list[Services] = []

    def count(app: Celery, queues: Iterable[str]) -> dict[str, int] | None:
        calls.append(browser.context.services)
        return find_waiting(app, queues)

    monkeypatch.setattr("web.operations.backlog.find_waiting", count)

    for _ in range(3):
        assert list(backlog.collect())

    assert len(calls) == 1
