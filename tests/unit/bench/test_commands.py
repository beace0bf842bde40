"""The overview names every measurement, and only those that can be run."""

from __future__ import annotations

import re
from pathlib import Path

from bench.__main__ import MEASUREMENTS

BENCH = Path(__file__).parents[3] / "bench"
#: `bench.peers` runs it by the Python that has the peers; the other one plays single conversations.
PARTS_OF_OTHERS = {"bench.peers.comparison", "bench.real_model.summaries"}


def list_commands() -> set[str]:
    """The modules that can be run."""
    paths = [path for path in BENCH.rglob("*.py") if '__name__ == "__main__"' in path.read_text()]
    names = [".".join(path.relative_to(BENCH.parent).with_suffix("").parts) for path in paths]
    return {name.removesuffix(".__main__") for name in names}


def test_the_overview_names_every_measurement() -> None:
    commands = re.findall(r"`(bench\.[\w.]+)[^`]*`", (BENCH / "README.md").read_text())
    assert set(commands) == list_commands() - PARTS_OF_OTHERS - {"bench"}


def test_those_of_the_report_can_be_run() -> None:
    assert {f"bench.{module}" for module in MEASUREMENTS.values()} <= list_commands()
