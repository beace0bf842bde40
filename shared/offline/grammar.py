"""The table of `grammar.txt`, as regular expressions that are compiled at their first use."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

TABLE = Path(__file__).with_name("grammar.txt")
NAME = re.compile("<([A-Z_]+)>")


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """One line of a section: `fields :: regex`."""

    fields: tuple[str, ...]  #: their meaning stands above the section in the table
    text: str

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(self.text, re.IGNORECASE)


def _read(lines: Iterator[str]) -> tuple[dict[str, str], dict[str, list[Pattern]]]:
    """The named expressions of the sections `words`, and the patterns of all other sections."""
    expressions: dict[str, str] = {}
    patterns: dict[str, list[Pattern]] = defaultdict(list)
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]")
        elif section == "words":
            name, _, text = line.partition(" = ")
            expressions[name] = _expand(text.strip('"'), expressions)
        else:
            fields, _, text = line.partition(" :: ")
            expanded = _expand(text, expressions)
            patterns[section].append(Pattern(fields=tuple(fields.split(" ")), text=expanded))
    return expressions, patterns


def _expand(text: str, expressions: dict[str, str]) -> str:
    """Replace each `<NAME>` by its expression."""
    return NAME.sub(lambda match: expressions[match[1]], text)


NAMED, PATTERNS = _read(
    line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")
)


@cache
def regex(name: str) -> re.Pattern[str]:
    """The named expression, compiled."""
    return re.compile(NAMED[name], re.IGNORECASE)
