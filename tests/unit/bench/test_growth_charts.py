from __future__ import annotations

from pathlib import Path

from bench.growth import Taken
from bench.growth_charts import draw

TAKEN = {"list": [Taken(10, [1.0, 2.0, 3.0], []), Taken(100, [4.0], [])]}


def test_the_same_numbers_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        draw(tmp_path / name, "conversations", TAKEN)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_chart_has_no_script(tmp_path: Path) -> None:
    draw(tmp_path / "one.svg", "conversations", TAKEN)
    assert "<script" not in (tmp_path / "one.svg").read_text()
