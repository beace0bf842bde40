"""Parse the Procfile (`name: command` lines) and the FORMATION (how many of each). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from supervisor.errors import StartError

_LINE = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_-]*):\s*(?P<command>\S.*)")


def parse_procfile(text: str) -> dict[str, str]:
    """Shell commands by name, in the order of the file."""
    commands: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or match["name"] in commands:
            raise StartError(f"Procfile, line {number}: not a new `name: command`: {line.strip()}")
        commands[match["name"]] = match["command"]
    return commands


def parse_formation(text: str) -> dict[str, int]:
    """The counts by name of `worker-llm=2,flower=0`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    counts = {}
    for part in parts:
        name, _, count = part.partition("=")
        if not count.strip().isdecimal():
            raise StartError(f"FORMATION: {part} is not of the form name=number.")
        counts[name.strip()] = int(count)
    return counts


def scale(commands: Mapping[str, str], formation: Mapping[str, int]) -> dict[str, str]:
    """Repeat each command by its count, as `name.1`, `name.2` …; the default is 1, as `name`."""
    if unknown := formation.keys() - commands.keys():
        raise StartError(f"FORMATION names what is not in the Procfile: {', '.join(unknown)}.")
    scaled: dict[str, str] = {}
    for name, command in commands.items():
        count = formation.get(name, 1)
        names = [name] if count == 1 else [f"{name}.{number}" for number in range(1, count + 1)]
        scaled |= dict.fromkeys(names, command)
    return scaled


def kind_of(name: str) -> str:
    """`worker-llm` of `worker-llm.2`."""
    return name.partition(".")[0]
