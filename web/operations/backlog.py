"""Metrics that are read when they are asked for: what waits in Postgres, the broker and Redis.

All web processes report the same numbers: take their maximum, not their sum.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.broker.queues import find_waiting
from shared.broker.tasks import QUEUES
from shared.ephemeral.redis_client import is_usable
from shared.errors import DatabaseUnavailableError
from shared.services import Services
from shared.store.search import message_vectors, passage_vectors
from shared.store.upkeep import backups, jobs, operations
from shared.store.upkeep.backups import FailedBackup, MadeBackup
from shared.store.upkeep.server import find_write_fault

KEPT_S = 5.0  # anybody may ask, as often as they like
MOST_UNEMBEDDED = 100_000
MOST_STUCK = 1000


@dataclass(frozen=True, kw_only=True)
class Number:
    metric: str
    labels: dict[str, str]
    value: float


class Backlog(Collector):
    """Reads at most once in `KEPT_S`. What cannot be read is left out, and `*_up` is 0."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._read_at = float("-inf")
        self._families: list[GaugeMetricFamily] = []

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return ()  # so that registering reads nothing

    def collect(self) -> Iterable[GaugeMetricFamily]:
        with self._lock:
            if time.monotonic() - self._read_at >= KEPT_S:
                self._families = [*self._read_database(), *self._read_broker(), *self._read_redis()]
                self._read_at = time.monotonic()
            return self._families

    def list_numbers(self) -> list[Number]:
        """The same, one by one."""
        return [
            Number(metric=sample.name, labels=dict(sample.labels), value=sample.value)
            for family in self.collect()
            for sample in family.samples
        ]

    def _read_database(self) -> list[GaugeMetricFamily]:
        try:
            with self._services.database.upkeep() as connection:
                listed = operations.list_open(connection)
                stuck_after_s = self._services.settings.stuck_after_s
                stuck = jobs.list_stuck(connection, stuck_after_s, MOST_STUCK)
                unembedded = message_vectors.count_unembedded(connection, MOST_UNEMBEDDED)
                of_files = passage_vectors.count_waiting(connection, MOST_UNEMBEDDED)
                last_backup, last_failure = backups.find_last(connection)
        except DatabaseUnavailableError:
            return [_up("database", is_up=False)]
        count = GaugeMetricFamily(
            "throughline_jobs", "Jobs that wait (queued) or run.", labels=["kind", "state"]
        )
        oldest = GaugeMetricFamily(
            "throughline_oldest_job_seconds",
            "How long the oldest of them has been due.",
            labels=["kind", "state"],
        )
        for group in listed:
            count.add_metric([group.kind, group.state], group.count)
            oldest.add_metric([group.kind, group.state], group.oldest_s)
        write_fault = find_write_fault(self._services.database)
        return [
            _up("database", is_up=True),
            GaugeMetricFamily(
                "throughline_database_writable",
                "Whether Postgres takes writes: its disk has room, and it is no standby.",
                int(write_fault is None),
            ),
            count,
            oldest,
            GaugeMetricFamily(
                "throughline_stuck_jobs",
                f"Jobs that have been due for longer than STUCK_AFTER_S, {MOST_STUCK} at most.",
                len(stuck),
            ),
            GaugeMetricFamily(
                "throughline_unembedded_messages",
                f"Messages without a vector, {MOST_UNEMBEDDED} at most.",
                unembedded,
            ),
            GaugeMetricFamily(
                "throughline_unembedded_passages",
                "Files to be cut, and passages of files without a vector, "
                f"{MOST_UNEMBEDDED} at most.",
                of_files,
            ),
            *(
                _of_backups(last_backup, last_failure)
                if self._services.settings.backup_folder
                else ()
            ),
        ]

    def _read_broker(self) -> list[GaugeMetricFamily]:
        waiting = find_waiting(self._services.broker, QUEUES)
        length = GaugeMetricFamily(
            "throughline_queue_length", "Tasks that wait for a worker.", labels=["queue"]
        )
        for queue, tasks in (waiting or {}).items():
            length.add_metric([queue], tasks)
        return [_up("broker", is_up=waiting is not None), length]

    def _read_redis(self) -> list[GaugeMetricFamily]:
        counts = self._services.waiting_rounds().count()
        if counts is None or not is_usable(self._services.redis):
            return [_up("redis", is_up=False)]
        return [
            _up("redis", is_up=True),
            GaugeMetricFamily(
                "throughline_waiting_rounds",
                "Rounds that the model of replies answers, on all machines.",
                counts["rounds"],
            ),
            GaugeMetricFamily(
                "throughline_memory_calls",
                "Calls that memory makes of the model of replies, on all machines.",
                counts["memory"],
            ),
        ]


def _of_backups(
    last_backup: MadeBackup | None, last_failure: FailedBackup | None
) -> list[GaugeMetricFamily]:
    since = last_backup.begun_at if last_backup else datetime.fromtimestamp(0, UTC)
    return [
        GaugeMetricFamily(
            "throughline_backup_age_seconds",
            "Since the last backup that was found to be whole. None yet: since 1970.",
            (datetime.now(UTC) - since).total_seconds(),
        ),
        GaugeMetricFamily(
            "throughline_backup_failed",
            "Whether one has failed since then.",
            int(last_failure is not None),
        ),
    ]


def _up(what: str, *, is_up: bool) -> GaugeMetricFamily:
    name = f"throughline_{what}_up"
    return GaugeMetricFamily(name, f"Whether the {what} answers this process.", int(is_up))
