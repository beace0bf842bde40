"""`python -m bench [name ...]` (`make bench`): run measurements one by one, and write one report.

Without names it runs those below; `peers` fetches packages. Each runs in a process of its own,
as `python -m bench.NAME`. The report is `report.md` and `report.json` in the results folder; see
docs/performance.md for how to read it. Exit code 1 means that a measurement failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from bench.report import Json, describe_machine, read_published, results_folder, table

MEASUREMENTS = (
    "startup", "rounds", "jobs", "task_rate", "model_call", "embeddings", "growth", "peers",
)  # fmt: skip


@click.command()
@click.argument("names", nargs=-1)
def main(names: Sequence[str]) -> None:
    folder = results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    begun_on = describe_machine()
    runs = [run(name, folder) for name in names or MEASUREMENTS]
    text = "\n".join([describe(begun_on), *(section(each, folder) for each in runs)])
    (folder / "report.md").write_text(text)
    figures = {each["name"]: _figures(folder, each["name"]) for each in runs}
    whole = {"machine": begun_on, "runs": runs, "figures": figures}
    (folder / "report.json").write_text(json.dumps(whole, indent=1) + "\n")
    print(f"\n{text}\nwritten to {folder}/report.md and report.json")
    sys.exit(any(each["exit_code"] for each in runs))


def run(name: str, folder: Path) -> Json:
    print(f"\n== {name}", flush=True)
    (folder / f"{name}.json").unlink(missing_ok=True)
    load, began = os.getloadavg()[0], time.perf_counter()
    done = subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False)
    return {
        "name": name,
        "exit_code": done.returncode,
        "load_average": round(load, 2),
        "seconds": round(time.perf_counter() - began),
    }


def describe(machine: Json) -> str:
    packages = ", ".join(f"{name} {number}" for name, number in machine["packages"].items())
    return (
        f"# Measurements\n\n{machine['cpu_count']} cores, {machine['system']}, load average "
        f"{machine['load_average']} before. Python {machine['python']}, {packages}.\n"
    )


def section(run: Json, folder: Path) -> str:
    head = (
        f"## {run['name']}\n\n`python -m bench.{run['name']}`: {run['seconds']} s, "
        f"load average {run['load_average']} before.\n"
    )
    if run["exit_code"]:
        return f"{head}\nIt failed with exit code {run['exit_code']}.\n"
    path = folder / f"{run['name']}.json"
    return f"{head}\n{table(read_published(path))}\n" if path.exists() else head


def _figures(folder: Path, name: str) -> list[Json]:
    path = folder / f"{name}.json"
    figures: list[Json] = json.loads(path.read_text())["figures"] if path.exists() else []
    return figures


if __name__ == "__main__":
    main()
