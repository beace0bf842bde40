"""The alerts that the operations page tells are those of deploy/prometheus."""

from __future__ import annotations

import re

import pytest

from tests.unit.test_monitoring import list_rules
from web.operations.alerts import RULES, SWEEP_ALERT, Rule, list_alerts
from web.operations.backlog import Number

EXPRESSION = re.compile(
    r"m(?:in|ax)(?: by \(kind\) )?\((\w+)(?:\{(\w+)=\"(\w+)\"\})?\) (==|>) (\d+)"
)


def number(metric: str, value: float, **labels: str) -> Number:
    return Number(metric=f"throughline_{metric}", labels=labels, value=value)


UP = [number(metric, 1) for metric in ("database_up", "database_writable", "redis_up", "broker_up")]


def states(numbers: list[Number], swept_s: float | None = 3) -> dict[str, str]:
    return {alert.rule.alert: alert.state for alert in list_alerts(numbers, swept_s)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.alert))
def test_each_is_a_rule_of_prometheus_with_the_same_limit(rule: Rule) -> None:
    [its] = [entry for entry in list_rules() if entry["alert"] == rule.alert]
    assert its["labels"]["severity"] == rule.severity
    if rule.alert == SWEEP_ALERT:
        [[label, value]] = rule.labels.items()
        assert f'increase({rule.metric}{{{label}="{value}"}}[10m])' in its["expr"]
        assert rule.limit == 600
        return
    match = EXPRESSION.fullmatch(its["expr"])
    assert match is not None
    metric, label, value, operator, limit = match.groups()
    assert (metric, {label: value} if label else {}) == (rule.metric, rule.labels)
    assert (operator, float(limit)) == (("==", 0) if rule.limit is None else (">", rule.limit))


def test_where_nothing_waits_nothing_is_wrong() -> None:
    assert set(states(UP).values()) == {"ok"}


def test_the_largest_number_counts_and_only_that_of_the_label() -> None:
    lag = "oldest_job_seconds"
    jobs = [
        number(lag, 901, kind="facts", state="queued"),
        number(lag, 5, kind="summary", state="queued"),
    ]
    assert states([*UP, *jobs])["MemoryLags"] == "wrong"
    assert states([*UP, number(lag, 901, kind="facts", state="running")])["MemoryLags"] == "ok"
    [first, *_] = list_alerts([*UP, *jobs], 3)
    assert (first.rule.alert, first.value) == ("MemoryLags", 901)


def test_backups_alert_only_where_they_are_made_by_schedule() -> None:
    backups = [number("backup_failed", 0), number("backup_age_seconds", 93_601)]
    assert not {"BackupFails", "BackupOld"} & states(UP).keys()
    assert states([*UP, *backups]).items() >= {"BackupFails": "ok", "BackupOld": "wrong"}.items()


def test_what_cannot_be_read_is_unknown_and_stands_after_what_is_wrong() -> None:
    alerts = list_alerts([number("database_up", 0), number("redis_up", 1)], 3)
    assert (alerts[0].rule.alert, alerts[0].state) == ("DatabaseDown", "wrong")
    assert states([number("database_up", 0)])["JobsStuck"] == "unknown"
    assert [alert.state for alert in alerts] == sorted(
        (alert.state for alert in alerts), key=["wrong", "unknown", "ok"].index
    )


@pytest.mark.parametrize(
    ("swept_s", "numbers", "state"),
    [
        (600, UP, "ok"),
        (601, UP, "wrong"),
        (None, UP, "wrong"),
        (None, [number("redis_up", 0)], "unknown"),
    ],
)
def test_a_sweep_that_nobody_remembers_is_wrong_if_redis_is_there(
    swept_s: float | None, numbers: list[Number], state: str
) -> None:
    assert states(numbers, swept_s)[SWEEP_ALERT] == state
