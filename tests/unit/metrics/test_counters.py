"""Every metric is told to operators, and every one is counted somewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase

from shared.metrics import counters

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("shared", "web", "workers")
CHANGES = {"inc", "dec", "set", "observe", "time", "labels", "track_inprogress"}

METRICS = {
    name: metric for name, metric in vars(counters).items() if isinstance(metric, MetricWrapperBase)
}


def told_names() -> set[str]:
    """As Prometheus writes them: `_total` belongs to a counter's name."""
    counted = {
        family.name + ("_total" if family.type == "counter" else "")
        for metric in METRICS.values()
        for family in metric.collect()
    }
    return counted | read_names()


def read_names() -> set[str]:
    """Those that are read when they are asked for."""
    source = (ROOT / "web/operations/backlog.py").read_text()
    up = {f"throughline_{what}_up" for what in re.findall(r'_up\("([a-z]+)"', source)}
    return set(re.findall(r'"(throughline_[a-z_]+)"', source)) | up


ROLES = {"throughline_app", "throughline_upkeep"}  # of Postgres, no metrics


def changed_metrics() -> set[str]:
    """Names of metrics on which something is called that counts."""
    return {
        node.value.id
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in CHANGES
        and isinstance(node.value, ast.Name)
    }


def test_the_documents_name_metrics_that_exist_and_all_of_them() -> None:
    text = (ROOT / "docs/operations.md").read_text()
    assert set(re.findall(r"throughline_[a-z_]+", text)) - ROLES == told_names()


def test_every_metric_is_counted_somewhere() -> None:
    assert METRICS
    assert METRICS.keys() - changed_metrics() == set()
