"""The settings: what is misspelt, and where each value comes from."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from shared.maintenance.doctor.site import Finding, Site, ok, problem
from shared.settings import Settings
from shared.settings.files import SUFFIX
from shared.settings.secrets import NEEDED_BY

KNOWN = {name.upper() for name in Settings.model_fields} | set(NEEDED_BY)
ALIKE = 0.85


def check_names(site: Site) -> Finding:
    """A misspelt variable would be ignored without a word. Bad values have stopped the start."""
    slips = [f"{name} (is {near} meant?)" for name, near in _list_slips(site.variables)]
    if slips:
        return problem(f"unknown in .env: {', '.join(slips)}", "correct or remove the line")
    return ok("all values can be used")


def _list_slips(variables: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in variables:
        plain = name.upper().removesuffix(SUFFIX)
        if plain in KNOWN or plain.endswith(("_API_KEY", "_API_BASE")):
            continue
        for near in difflib.get_close_matches(plain, sorted(KNOWN), 1, ALIKE):
            yield name, near


def list_settings(
    settings: Settings, environment: Mapping[str, str], of_file: Mapping[str, str | None]
) -> list[dict[str, str]]:
    """Each setting with its source. Of texts, which may be secrets, only that they are set.

    `of_file` has the variables of `.env`.
    """
    listed = []
    for name, value in sorted(settings):
        variable = name.upper()
        if environment.get(variable + SUFFIX):
            source = "file"
        elif variable not in environment:
            source = "default"
        else:
            source = ".env" if of_file.get(variable) == environment[variable] else "environment"
        listed.append({"name": variable, "source": source, "value": _shown(value)})
    return listed


def _shown(value: object) -> str:
    if isinstance(value, bool | int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return "(set)" if value and str(value) else "(empty)"
