"""The name of a statement's span: the command, and the table that it writes or reads."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

# `FOR UPDATE` and `DO UPDATE` are parts of other statements.
_WRITE = re.compile(
    r"\b(INSERT) INTO (\w+)|(?<!FOR )(?<!DO )(?<!KEY )\b(UPDATE) (\w+)|\b(DELETE) FROM (\w+)"
)
_READ = re.compile(r"\bFROM (\w+)")
_COMMAND = re.compile(r"\w+")


class Statement(NamedTuple):
    command: str
    table: str | None
    text: str  #: on one line, with the names of its arguments

    @property
    def name(self) -> str:
        return f"{self.command} {self.table}" if self.table else self.command


@functools.lru_cache(maxsize=1024)  # of a few hundred texts that stand in the source
def read_statement(text: str) -> Statement:
    """Find the command, and the first table that it writes. Of a query, the first that it reads."""
    text = " ".join(text.replace('"', "").split())
    if match := _WRITE.search(text):
        command, table = (group for group in match.groups() if group)
        return Statement(command, table, text)
    first, read = _COMMAND.search(text), _READ.search(text)
    command = first[0].upper() if first else "?"
    command = "SELECT" if command == "WITH" else command
    return Statement(command, read[1] if read else None, text)
