"""`throughline doctor`: what is wrong with a site, and what to do."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click
from dotenv import dotenv_values, load_dotenv

from shared.maintenance.doctor import Report, examine
from shared.maintenance.doctor.checks.configuration import list_settings
from shared.settings import SettingsError, read_settings
from throughline.printing import json_option, show
from throughline.site import find_settings

ENV_FILE = Path(".env")
UNUSABLE = "configuration"


@click.command()
@click.option("--settings", "with_settings", is_flag=True, help="Also list all settings.")
@json_option
def doctor(*, with_settings: bool, as_json: bool) -> None:
    """Check the site, whether it runs or not: a line for each check, and what to do.

    Exit code 1: something is wrong. The output holds no secret, no text and no name. Models with a
    key are asked one tiny question each.
    """
    reports = _examine()
    problems = [one for one in reports if one.status == "problem"]
    result: dict[str, object] = {
        "healthy": not problems,
        "checks": [asdict(one) for one in reports],
    }
    lines = [_describe(one) for one in reports]
    if with_settings and reports[0].check != UNUSABLE:
        settings = list_settings(read_settings(), os.environ, dotenv_values(ENV_FILE))
        result["settings"] = settings
        lines += [f"{one['name']}={one['value']}  ({one['source']})" for one in settings]
    lines.append(f"{len(problems)} problems" if problems else "Nothing is wrong.")
    show(result, lines, as_json=as_json)
    sys.exit(1 if problems else 0)


def _examine() -> list[Report]:
    """Of the running site, else of what the settings say. Bad settings are the only finding."""
    load_dotenv(ENV_FILE)
    try:
        settings = read_settings()
    except SettingsError as exc:
        click.echo(str(exc), err=True)
        names = re.findall(r"^[A-Z_]+", str(exc), re.MULTILINE)
        says = f"cannot be used: {', '.join(names)}"
        return [Report(UNUSABLE, "problem", says, "a start says why, and so does standard error")]
    with suppress(SettingsError):  # it does not run
        settings = find_settings()
    zone = os.environ.get("TZ", "")
    return examine(settings, variables=tuple(dotenv_values(ENV_FILE)), zone=zone)


def _describe(report: Report) -> str:
    mark = {"ok": "ok", "problem": "PROBLEM", "skipped": "-"}[report.status]
    advice = f": {report.advice}" if report.advice else ""
    return f"{mark:8} {report.check:10} {report.says}{advice}"
