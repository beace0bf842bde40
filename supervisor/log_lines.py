"""Split a child's output into lines, and prefix them with its name. Pure."""

from __future__ import annotations

import re

MAX_LINE_CHARS = 8_192  # limits the memory for a child that never ends its line

_POSTGRES_WORD = re.compile(r"[A-Z]+:  ")  # of a new line of its log
_COLOURS = (36, 33, 32, 35, 34, 96, 93)  # ANSI: cyan, yellow, green …


class LineSplitter:
    """Keeps an unfinished line until its end comes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MAX_LINE_CHARS:
            lines, self._rest = [*lines, self._rest], b""
        return [_text(line) for line in lines]

    def end(self) -> list[str]:
        rest, self._rest = self._rest, b""
        return [_text(rest)] if rest else []


class PostgresLines(LineSplitter):
    """Leaves out statements: Postgres names that of a PANIC, whatever its settings say."""

    _is_statement = False

    def feed(self, data: bytes) -> list[str]:
        return [line for line in super().feed(data) if self._is_shown(line)]

    def end(self) -> list[str]:
        return [line for line in super().end() if self._is_shown(line)]

    def _is_shown(self, line: str) -> bool:
        """The other lines of a statement begin with none of the server's words."""
        if _POSTGRES_WORD.match(line):
            self._is_statement = line.startswith("STATEMENT:")
        return not self._is_statement


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\r")[:MAX_LINE_CHARS]


def with_prefix(name: str, width: int, line: str, colour: int | None) -> str:
    """`colour` is the number of the name among all names; None without a terminal."""
    prefix = f"{name:<{width}} | "
    if colour is not None:
        prefix = f"\x1b[{_COLOURS[colour % len(_COLOURS)]}m{prefix}\x1b[0m"
    return prefix + line
