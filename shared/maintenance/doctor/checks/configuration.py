"""The settings: what is misspelt, and what is none."""

from __future__ import annotations

from shared.maintenance.doctor.examined_site import Finding, Site, ok, problem
from shared.settings.setting_sources import (
    list_misspelt,
    list_unknown_lines,
)


def check_names(site: Site) -> Finding:
    """Find misspelt variables, which would be ignored without a word.

    A bad value has stopped the start already.
    """
    variables = site.variables
    if slips := [f"{name} (is {near} meant?)" for name, near in list_misspelt(variables)]:
        return problem(f"unknown: {', '.join(slips)}", "correct or remove the variable")
    if broken := variables.env_file.broken_lines:
        return problem(
            f"no NAME=value in .env: {_describe_lines(broken)}", "correct or remove the line"
        )
    unknown = list_unknown_lines(variables)
    of_others = f"; none of the site's variables: {_describe_lines(unknown)} of .env"
    return ok(f"all values can be used{of_others if unknown else ''}")


def _describe_lines(lines: list[int] | tuple[int, ...]) -> str:
    """Name lines by their numbers: such a line may be a secret that lacks a name."""
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines))
