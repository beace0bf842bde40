"""`python -m bench [name ...]` (`make bench`): run measurements one by one, and write one report.

Without names it runs those of `MEASUREMENTS`; `peers` fetches packages. Any other one is named as
in its command, such as `load.loops` of `python -m bench.load.loops`; README.md lists them. Each
runs in a process of its own. The report is `report.md` and `report.json` in the results folder; see
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

from bench.harness.report import Json, describe_machine, read_published, results_folder, table

#: The names of their results, and their modules in this folder.
MEASUREMENTS = {
    "startup": "startup",
    "rounds": "rounds",
    "jobs": "throughput.jobs",
    "model_call": "rounds.model_call",
    "embeddings": "throughput.embeddings",
    "peers": "peers",
}


@click.command()
@click.argument("names", nargs=-1)
def main(names: Sequence[str]) -> None:
    folder = results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    begun_on = describe_machine()
    runs = [run(MEASUREMENTS.get(name, name), folder) for name in names or MEASUREMENTS]
    text = "\n".join([describe(begun_on), *(section(each, folder) for each in runs)])
    (folder / "report.md").write_text(text)
    figures = {each["module"]: _figures(path_of(each, folder)) for each in runs}
    whole = {"machine": begun_on, "runs": runs, "figures": figures}
    (folder / "report.json").write_text(json.dumps(whole, indent=1) + "\n")
    print(f"\n{text}\nwritten to {folder}/report.md and report.json")
    sys.exit(any(each["exit_code"] for each in runs))


def run(module: str, folder: Path) -> Json:
    print(f"\n== {module}", flush=True)
    path_of({"module": module}, folder).unlink(missing_ok=True)
    load, began = os.getloadavg()[0], time.perf_counter()
    done = subprocess.run([sys.executable, "-m", f"bench.{module}"], check=False)
    return {
        "module": module,
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
        f"## {run['module']}\n\n`python -m bench.{run['module']}`: {run['seconds']} s, "
        f"load average {run['load_average']} before.\n"
    )
    if run["exit_code"]:
        return f"{head}\nIt failed with exit code {run['exit_code']}.\n"
    path = path_of(run, folder)
    return f"{head}\n{table(read_published(path))}\n" if path.exists() else head


def path_of(run: Json, folder: Path) -> Path:
    """Of its figures. A measurement of a folder publishes them under its own name alone."""
    return folder / f"{run['module'].rpartition('.')[2]}.json"


def _figures(path: Path) -> list[Json]:
    figures: list[Json] = json.loads(path.read_text())["figures"] if path.exists() else []
    return figures


if __name__ == "__main__":
    main()
