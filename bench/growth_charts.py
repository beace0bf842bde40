"""The charts of `bench.growth`, by pygal. The same numbers give the same bytes."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pygal
from pygal.style import CleanStyle

WIDTH, HEIGHT = 720, 360
COLOURS = ("#2563a8", "#b4531c", "#3b7d3b", "#7a4fa3")
STYLE = CleanStyle(
    colors=COLOURS,
    font_family="sans-serif",
    background="#ffffff",
    plot_background="#ffffff",
    value_font_size=10,
    stroke_width=2,
)


class Measured(Protocol):
    @property
    def size(self) -> int: ...
    @property
    def wall(self) -> list[float]: ...


def draw(path: Path, kind: str, taken: Mapping[str, Sequence[Measured]]) -> None:
    """A line for each piece of work: milliseconds by size."""
    chart = pygal.Line(
        style=STYLE,
        title=f"Milliseconds by {kind}",
        width=WIDTH,
        height=HEIGHT,
        legend_at_bottom=True,
        range=(0, None),
        print_values=True,
        no_prefix=True,
        js=(),
    )
    sizes = [one.size for one in next(iter(taken.values()))]
    chart.add_xml_filter(_without_scripts)
    chart.x_labels = [f"{size:,}" for size in sizes]
    for name, rows in taken.items():
        chart.add(name, [round(statistics.median(one.wall), 1) for one in rows])
    path.write_bytes(chart.render())


def _without_scripts(svg: Any) -> Any:
    """A picture needs none, and pages that show it allow none."""
    for parent in list(svg.iter()):
        for child in parent.findall("{*}script"):
            parent.remove(child)
    return svg
