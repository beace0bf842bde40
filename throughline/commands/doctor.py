"""`throughline doctor`: what is wrong with a site, and what to do."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import asdict

import click

from shared.maintenance.doctor import Report, examine
from shared.settings import Settings, SettingsError, load_env_file, read_settings
from shared.settings.setting_sources import ENV_FILE, list_sources, read_variables
from throughline.printing import json_option, show
from throughline.site import find_settings


@click.command()
@click.option("--settings", "with_settings", is_flag=True, help="Also list all settings.")
@json_option
def doctor(*, with_settings: bool, as_json: bool) -> None:
    """Check the site, whether it runs or not: a line for each check, and what to do.

    Exit code 1: something is wrong. The output holds no secret, no text and no name. Models with a
    key are asked one tiny question each. With --json the settings are listed, too.
    """
    variables = read_variables()
    try:
        settings = _find_settings()
        reports = examine(settings, variables)
        sources = list_sources(settings, variables)
    except SettingsError as exc:
        click.echo(str(exc), err=True)
        reports, sources = [_unusable(exc)], []
    problems = [entry for entry in reports if entry.status == "problem"]
    result: dict[str, object] = {
        "healthy": not problems,
        "checks": [asdict(entry) for entry in reports],
        "settings": [asdict(entry) for entry in sources],
    }
    lines = [_describe(entry) for entry in reports]
    if with_settings:
        lines += [f"{entry.name}={entry.value}  ({entry.source})" for entry in sources]
    lines.append(f"{len(problems)} problems" if problems else "Nothing is wrong.")
    show(result, lines, as_json=as_json)
    sys.exit(1 if problems else 0)


def _find_settings() -> Settings:
    """The running site's settings, else the environment's. Raises `SettingsError` for bad ones."""
    load_env_file(ENV_FILE)
    settings = read_settings()
    with suppress(SettingsError):  # it does not run
        settings = find_settings()
    return settings


def _unusable(error: SettingsError) -> Report:
    names = re.findall(r"^[A-Z_]+", str(error), re.MULTILINE)
    says = f"cannot be used: {', '.join(names)}"
    return Report("configuration", "problem", says, "a start says why, and so does standard error")


def _describe(report: Report) -> str:
    mark = {"ok": "ok", "problem": "PROBLEM", "skipped": "-"}[report.status]
    advice = f": {report.advice}" if report.advice else ""
    return f"{mark:8} {report.check:10} {report.says}{advice}"
