from __future__ import annotations

from pathlib import Path

import pytest

from bench.harness.report import Figure, publish, read_published, results_folder, table

FIGURES = [
    Figure(name="search", value=2.0, unit="ms", beside="bare query", beside_value=1.6),
    Figure(name="memory", value=1234.5, unit="MB"),
]


def test_a_figure_beside_its_floor_has_a_ratio() -> None:
    assert FIGURES[0].ratio == 1.25
    assert FIGURES[1].ratio is None


def test_a_table_has_a_row_for_each_figure() -> None:
    assert table(FIGURES).splitlines() == [
        "| what   | measured | beside     | its value | ratio |",
        "| ------ | -------- | ---------- | --------- | ----- |",
        "| search | 2 ms     | bare query | 1.6 ms    | 1.25  |",
        "| memory | 1,234 MB |            |           |       |",
    ]


def test_what_is_published_can_be_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCH_RESULTS", str(tmp_path / "results"))
    publish("search", FIGURES)
    assert read_published(results_folder() / "search.json") == FIGURES
