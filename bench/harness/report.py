"""The form that all measurements share: named figures, each beside a floor or a peer of its run.

A measurement ends with `publish("startup", figures)`. That prints a table and writes
`startup.json` into the results folder: BENCH_RESULTS, or else `bench/results`, which git ignores.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PACKAGES = ("celery", "flask", "gunicorn", "litellm", "onnxruntime", "psycopg2-binary", "redis")
COLUMNS = ("what", "measured", "beside", "its value", "ratio")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number. Times and CPU are medians, unless its name says otherwise."""

    name: str
    value: float
    #: "ms", "s", "MB", "1/s", …
    unit: str
    #: The floor or the peer that was measured in the same run, such as "httpx alone".
    beside: str | None = None
    #: In the same unit.
    beside_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times its floor or peer it is: below 1 is better, but for rates (`1/s`)."""
        return self.value / self.beside_value if self.beside_value else None


def publish(name: str, figures: Iterable[Figure]) -> None:
    """Print the figures as a table, and write them to the results folder as JSON."""
    listed = list(figures)
    print(table(listed), flush=True)
    folder = results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    rows = [asdict(figure) | {"ratio": figure.ratio} for figure in listed]
    document = {"name": name, "machine": describe_machine(), "figures": rows}
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")


def read_published(path: Path) -> list[Figure]:
    rows: list[Json] = json.loads(path.read_text())["figures"]
    return [Figure(**{key: row[key] for key in row if key != "ratio"}) for row in rows]


def table(figures: Sequence[Figure]) -> str:
    """A Markdown table whose columns also line up as plain text."""
    rows = [_cells(figure) for figure in figures]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    lines = [_line(COLUMNS, widths), _line(["-" * width for width in widths], widths)]
    return "\n".join(lines + [_line(row, widths) for row in rows])


def print_load() -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)


def describe_machine() -> Json:
    return {
        "load_average": round(os.getloadavg()[0], 2),
        "cpu_count": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def results_folder() -> Path:
    return Path(os.environ.get("BENCH_RESULTS") or Path(__file__).parents[1] / "results")


def _cells(figure: Figure) -> tuple[str, ...]:
    ratio = figure.ratio
    return (
        figure.name,
        f"{_number(figure.value)} {figure.unit}",
        figure.beside or "",
        "" if figure.beside_value is None else f"{_number(figure.beside_value)} {figure.unit}",
        "" if ratio is None else f"{ratio:.2f}",
    )


def _number(value: float) -> str:
    """Three digits that count, or all of a whole number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"
