"""The alerts of deploy/prometheus that one look can tell, without a Prometheus.

The others are about rates. They need what Prometheus has kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from web.operations.backlog import Number

Severity = Literal["page", "ticket"]
#: "unknown": what it is told by cannot be read now.
State = Literal["wrong", "unknown", "ok"]

ORDER: tuple[State, ...] = ("wrong", "unknown", "ok")
SWEEP_ALERT = "SweepSilent"
#: Only sites that make backups by schedule have these.
BACKUP_ALERTS = ("BackupFails", "BackupOld")


@dataclass(frozen=True, kw_only=True)
class Rule:
    alert: str
    severity: Severity
    metric: str
    labels: dict[str, str] = field(default_factory=dict)
    #: The largest number that is in order. None: 0 is wrong.
    limit: float | None = None


RULES = (
    Rule(alert="DatabaseDown", severity="page", metric="throughline_database_up"),
    Rule(alert="DatabaseNotWritable", severity="page", metric="throughline_database_writable"),
    Rule(
        alert=SWEEP_ALERT, severity="page", metric="throughline_task_seconds_count",
        labels={"task": "maintenance.sweep"}, limit=600,
    ),
    Rule(alert="RedisDown", severity="ticket", metric="throughline_redis_up"),
    Rule(alert="BrokerDown", severity="ticket", metric="throughline_broker_up"),
    Rule(alert="JobsStuck", severity="ticket", metric="throughline_stuck_jobs", limit=0),
    Rule(
        alert="MemoryLags", severity="ticket", metric="throughline_oldest_job_seconds",
        labels={"state": "queued"}, limit=900,
    ),
    Rule(
        alert="EmbeddingLags", severity="ticket", metric="throughline_unembedded_messages",
        limit=1000,
    ),
    Rule(
        alert="BackupFails", severity="ticket", metric="throughline_backup_failed", limit=0,
    ),
    Rule(
        alert="BackupOld", severity="ticket", metric="throughline_backup_age_seconds",
        limit=93_600,
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Alert:
    rule: Rule
    state: State
    value: float | None


def list_alerts(numbers: Sequence[Number], swept_s: float | None) -> list[Alert]:
    """What is wrong comes first, and of that what wakes somebody up.

    `swept_s`: seconds since the last sweep. None: more than an hour, or Redis does not know.
    """
    metrics = {number.metric for number in numbers}
    alerts = [
        _judge_sweep(rule, numbers, swept_s) if rule.alert == SWEEP_ALERT else _judge(rule, numbers)
        for rule in RULES
        if rule.alert not in BACKUP_ALERTS or rule.metric in metrics
    ]
    return sorted(alerts, key=lambda alert: ORDER.index(alert.state))


def _judge(rule: Rule, numbers: Sequence[Number]) -> Alert:
    value = _find_largest(rule.metric, rule.labels, numbers)
    if value is None and _is_up("database", numbers):
        value = 0.0  # nothing waits
    if value is None:
        return Alert(rule=rule, state="unknown", value=None)
    is_wrong = value == 0 if rule.limit is None else value > rule.limit
    return Alert(rule=rule, state="wrong" if is_wrong else "ok", value=value)


def _judge_sweep(rule: Rule, numbers: Sequence[Number], swept_s: float | None) -> Alert:
    if swept_s is None:
        state: State = "wrong" if _is_up("redis", numbers) else "unknown"
    else:
        state = "wrong" if swept_s > (rule.limit or 0) else "ok"
    return Alert(rule=rule, state=state, value=swept_s)


def _is_up(service: str, numbers: Sequence[Number]) -> bool:
    return bool(_find_largest(f"throughline_{service}_up", {}, numbers))


def _find_largest(
    metric: str, labels: Mapping[str, str], numbers: Sequence[Number]
) -> float | None:
    return max(
        (
            number.value
            for number in numbers
            if number.metric == metric and labels.items() <= number.labels.items()
        ),
        default=None,
    )
