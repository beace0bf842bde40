"""The table in `grammar.txt`, compiled."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("grammar.txt")
NAME = re.compile("<([A-Z_]+)>")


@dataclass(frozen=True, kw_only=True)
class Form:
    """`heads` are the words before the pattern; the table says what they are in its section."""

    heads: tuple[str, ...]
    says: re.Pattern[str]


def _read(lines: Iterator[str]) -> tuple[dict[str, str], dict[str, list[Form]]]:
    words: dict[str, str] = {}
    forms: dict[str, list[Form]] = defaultdict(list)
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]")
        elif section == "words":
            name, _, pattern = line.partition(" = ")
            words[name] = _fill(pattern.strip('"'), words)
        else:
            heads, _, pattern = line.partition(" :: ")
            forms[section].append(
                Form(heads=tuple(heads.split(" ")), says=_compile(pattern, words))
            )
    return words, forms


def _fill(pattern: str, words: dict[str, str]) -> str:
    return NAME.sub(lambda name: words[name[1]], pattern)


def _compile(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(_fill(pattern, words), re.IGNORECASE)


WORDS, FORMS = _read(
    line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")
)


@cache
def word(name: str) -> re.Pattern[str]:
    """The words of that name."""
    return re.compile(WORDS[name], re.IGNORECASE)
