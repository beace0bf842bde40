"""The alerts and the dashboard of deploy/prometheus: real metrics, and promtool's own tests."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.metrics.test_counters import told_names

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy/prometheus"
OPERATIONS = (ROOT / "docs/operations.md").read_text()
PROMTOOL = shutil.which("promtool") or shutil.which(
    "promtool", path=str(Path(sys.executable).parent)
)
SUFFIXES = re.compile(r"_(bucket|count|sum)$")


def list_rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "rules.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def list_queries() -> list[str]:
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


def metrics_in(text: str) -> set[str]:
    return {SUFFIXES.sub("", name) for name in re.findall(r"throughline_[a-z_]+", text)}


def test_alerts_and_dashboard_read_metrics_that_exist() -> None:
    for text in [*(rule["expr"] for rule in list_rules()), *list_queries()]:
        assert metrics_in(text) <= told_names(), text


def test_the_dashboard_shows_every_metric() -> None:
    assert metrics_in(" ".join(list_queries())) | {"throughline_oldest_job_seconds"} == told_names()


def test_each_alert_has_its_place_in_the_runbook_and_a_test_of_both_kinds() -> None:
    tests = yaml.safe_load((FOLDER / "tests.yml").read_text())["tests"]
    tried = [each for case in tests for each in case["alert_rule_test"]]
    for rule in list_rules():
        assert f"| `{rule['alert']}` |" in OPERATIONS
        outcomes = {
            bool(case["exp_alerts"]) for case in tried if case["alertname"] == rule["alert"]
        }
        assert outcomes == {True, False}, rule["alert"]
        assert rule["labels"]["severity"] in {"page", "ticket"}


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool: see bin/debian-tools")
@pytest.mark.parametrize("words", [("check", "rules", "rules.yml"), ("test", "rules", "tests.yml")])
def test_promtool_agrees(words: tuple[str, ...]) -> None:
    command = [str(PROMTOOL), *words]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
